/*
 * Cells to text.  The units of base/table.h meet the scales of base/unit.h here, and nowhere else.
 */
#include "report/cells.h"

#include <errno.h>

bool cells_is_number(const struct column *c)
{
	return c->type == CELL_INT || c->type == CELL_REAL;
}

bool cells_is_there(const struct table *t, size_t col)
{
	if (!(t->col[col].flags & COLUMN_ROOM))
		return true;
	for (size_t row = 0; row < t->nrow; row++) {
		const union cell *v = table_cell(t, row, col);

		if (v && (t->col[col].type != CELL_TEXT || v->s.n > 0))
			return true;
	}
	return false;
}

static void add_cell(struct unit_range *g, const struct column *c, const union cell *v)
{
	if (v && c->type == CELL_INT)
		unit_range_add(g, (double)v->i);
	else if (v && c->type == CELL_REAL)
		unit_range_add(g, v->r);
}

/* Decimals that make a time exact in the scale's unit: 3 for us, 9 for s. */
static int exact_decimals(struct unit_scale s)
{
	int d = 0;

	for (; s.divisor >= 10; s.divisor /= 10)
		d++;
	return d;
}

/* Times on the trace's clock are exact: 1234.567 us, whatever their size. */
static struct unit_scale timestamp_scale(const char *unit)
{
	struct unit_scale s = unit_scale_time((struct unit_range){ 0 }, unit ? unit : "us");

	s.decimals = exact_decimals(s);
	return s;
}

static struct unit_scale scale(enum unit of, struct unit_range g, const char *unit)
{
	switch (of) {
	case UNIT_NS: return unit_scale_time(g, unit);
	case UNIT_BYTES: return unit_scale_bytes(g);
	case UNIT_BYTES_PER_S: return unit_scale_rate(g);
	case UNIT_FLOPS: return unit_scale_flops(g);
	case UNIT_NJ: return unit_scale_energy(g);
	case UNIT_RATIO: return unit_scale_percent();
	case UNIT_TIMESTAMP: return timestamp_scale(unit);
	case UNIT_NONE:
	case UNIT_OF_ROW:
	case UNIT_COUNT: break;
	}
	return unit_scale_plain(g);
}

/* Columns of what is compared with each other, and of the difference. */
static bool is_side(const struct column *c)
{
	static const char *const sides[] = { "base_", "new_", "delta_", "by_" };

	return FIND_VALUE(i, COUNT_OF(sides), strncmp(c->key, sides[i], strlen(sides[i])) == 0,
		c->unit == UNIT_NS || c->unit == UNIT_BYTES, false);
}

struct unit_scale cells_scale_column(const struct table *t, size_t col, const char *unit)
{
	const struct column *c = &t->col[col];
	struct unit_range g = { 0 };

	for (size_t i = 0; i < t->ncol; i++) {
		const struct column *other = &t->col[i];

		if (i != col &&
			!(is_side(c) && is_side(other) && other->unit == c->unit &&
				!(other->flags & COLUMN_HIDDEN)))
			continue;
		for (size_t row = 0; row < t->nrow; row++)
			add_cell(&g, other, table_cell(t, row, i));
	}
	struct unit_scale s = scale(c->unit, g, unit);
	if (c->unit == UNIT_RATIO && strchr(cells_title(c), '%'))
		s.suffix = "";
	return s;
}

enum unit cells_unit_of(const struct table *t, size_t row, size_t col)
{
	return t->col[col].unit == UNIT_OF_ROW ? (enum unit)t->unit[row] : t->col[col].unit;
}

struct unit_scale cells_scale_one(const struct table *t, size_t row, size_t col, const char *unit)
{
	bool is_of_row = t->col[col].unit == UNIT_OF_ROW;
	struct unit_range g = { 0 };

	for (size_t i = 0; i < t->ncol; i++)
		if (i == col ||
			(is_of_row && t->col[i].unit == UNIT_OF_ROW &&
				!(t->col[i].flags & COLUMN_HIDDEN)))
			add_cell(&g, &t->col[i], table_cell(t, row, i));
	struct unit_scale s = scale(cells_unit_of(t, row, col), g, unit);
	/* shares differ by points: of 80%, 10% less are 72% */
	if (is_of_row && cells_unit_of(t, row, col) == UNIT_RATIO &&
		strcmp(t->col[col].key, "delta") == 0)
		s.suffix = " pt";
	return s;
}

static void put_int(struct str *b, enum unit unit, int64_t v, struct unit_scale s)
{
	if (unit == UNIT_COUNT) {
		unit_put_count(b, v);
	} else if (unit == UNIT_NONE) {
		unit_put_exact(b, v, 0);
	} else if (unit == UNIT_TIMESTAMP) {
		unit_put_exact(b, v, s.decimals);
		str_adds(b, s.suffix);
	} else {
		unit_put(b, (double)v, s);
	}
}

void cells_put(struct str *b, const struct table *t, size_t row, size_t col, struct unit_scale s)
{
	const struct column *c = &t->col[col];
	const union cell *v = table_cell(t, row, col);

	if (!v) {
		str_addc(b, '-');
		return;
	}
	if (c->unit == UNIT_OF_ROW)
		s = cells_scale_one(t, row, col, NULL);
	switch (c->type) {
	case CELL_TEXT: str_add(b, v->s.p, v->s.n); break; /* lint: allow text: see cells.h */
	case CELL_INT: put_int(b, cells_unit_of(t, row, col), v->i, s); break;
	case CELL_REAL: unit_put(b, v->r, s); break;
	case CELL_BOOL: str_adds(b, v->b ? "yes" : "no"); break;
	}
}

void cells_put_exact(struct str *b, const struct column *c, const union cell *v)
{
	if (c->type == CELL_INT)
		unit_put_exact(b, v->i, 0);
	else if (c->type == CELL_REAL)
		unit_put_real(b, v->r);
	else
		str_adds(b, v->b ? "true" : "false");
}

const char *cells_unit_name(enum unit unit)
{
	switch (unit) {
	case UNIT_COUNT: return "count";
	case UNIT_NS:
	case UNIT_TIMESTAMP: return "ns";
	case UNIT_BYTES: return "bytes";
	case UNIT_RATIO: return "ratio";
	case UNIT_BYTES_PER_S: return "bytes_per_s";
	case UNIT_FLOPS: return "flops";
	case UNIT_NJ: return "nj";
	case UNIT_OF_ROW:
	case UNIT_NONE: break;
	}
	return NULL;
}

const char *cells_input(const struct result *r, int input)
{
	return input >= 0 && (size_t)input < r->ninput && r->ninput > 1 ? r->input[input] : NULL;
}

const char *cells_title(const struct column *c)
{
	return c->title ? c->title : c->key;
}

static bool begins_with(const struct table *t, const char *input)
{
	if (t->layout != TABLE_LINE || t->nrow == 0 || t->ncol == 0 || t->col[0].type != CELL_TEXT)
		return false;
	const union cell *v = table_cell(t, 0, 0);
	return v && span_is(v->s, input);
}

const char *cells_heading_input(const struct result *r, size_t i)
{
	const struct table *t = r->table[i];
	const char *input = cells_input(r, t->input);

	if (!input || begins_with(t, input))
		return NULL;
	return i > 0 && !t->title && r->table[i - 1]->input == t->input ? NULL : input;
}

void cells_flush(FILE *out, struct str *b)
{
	if (b->n)
		(void)fwrite(b->s, 1, b->n, out);
	str_reset(b);
}

enum status cells_done(FILE *out, struct err *e)
{
	errno = 0;
	if (fflush(out) == 0 && !ferror(out))
		return OK;
	return err_set(e, E_IO, -1, "cannot write the output: %s",
		errno ? strerror(errno) : "an earlier write failed");
}
