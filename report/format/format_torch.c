/* torch's key_averages().table(), character for character: prints the tables that were laid out for
 * it (TABLE_TORCH) and nothing else.  Source: torch/autograd/profiler_util.py, _build_table.
 *
 * Foot rows are not printed but measured: torch's widths come from all events, also from those
 * behind the row limit, so an analysis that cut rows adds one foot row with the longest name and
 * shapes. Differs where torch would print control characters, or orders to a CI server, raw.  A
 * cell that is absent shows "--". */
#include "report/cells.h"
#include "report/escape.h"
#include "base/width.h"

enum { CELL_WIDTH = 12, NAME_WIDTH = 55, SHAPES_WIDTH = 80, SOURCE_WIDTH = 75, MARGIN = 4 };

enum role { ROLE_CELL, ROLE_NAME, ROLE_SHAPES, ROLE_SOURCE };

static enum role role_of(const struct column *c)
{
	struct span title = span_of(cells_title(c));

	if (span_is(title, "Name") || span_is(title, "Overload Name"))
		return ROLE_NAME;
	if (span_is(title, "Input Shapes"))
		return ROLE_SHAPES;
	return span_is(title, "Source Location") ? ROLE_SOURCE : ROLE_CELL;
}

/* Code points of the longest text in the column. */
static size_t longest(const struct table *t, size_t col)
{
	SCOPED_STR b = { 0 };
	size_t most = 0;

	for (size_t row = 0; row < t->nrow; row++) {
		const union cell *v = table_cell(t, row, col);

		if (!v || t->col[col].type != CELL_TEXT)
			continue;
		str_reset(&b);
		escape_terminal(&b, v->s, true);
		size_t n = utf8_length(b.s, b.n);

		most = MAX(n, most);
	}
	return most;
}

/* The overload's name gets the width of the name, which comes first. */
static size_t width_of_column(const struct table *t, size_t col)
{
	size_t n = longest(t, role_of(&t->col[col]) == ROLE_NAME ? 0 : col) + MARGIN;

	switch (role_of(&t->col[col])) {
	case ROLE_NAME: return MIN(n, NAME_WIDTH);
	case ROLE_SHAPES: return MIN(n, SHAPES_WIDTH);
	case ROLE_SOURCE: return MIN(n, SOURCE_WIDTH);
	case ROLE_CELL: break;
	}
	return CELL_WIDTH;
}

/* Bytes of the first n code points. */
static size_t bytes_of(const struct str *s, size_t n)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if ((s->s[i] & 0xc0) != 0x80 && n-- == 0)
			break;
	return i;
}

static void put_text(struct str *b, struct span text, enum role role, size_t width)
{
	SCOPED_STR s = { 0 };
	size_t skip;

	escape_terminal(&s, text, true);
	size_t n = utf8_length(s.s, s.n);
	if (role == ROLE_NAME && n >= NAME_WIDTH - 3) {
		str_add(b, s.s, bytes_of(&s, NAME_WIDTH - 3));
		str_adds(b, "...");
	} else if (role == ROLE_SHAPES && n > width) {
		str_add(b, s.s, bytes_of(&s, width));
	} else if (role == ROLE_SOURCE && n > width) {
		skip = bytes_of(&s, n - width + 3);
		str_adds(b, "...");
		str_add(b, s.s + skip, s.n - skip);
	} else {
		str_add(b, s.s, s.n);
	}
}

static void put_number(struct str *b, const struct column *c, const union cell *v, const char *unit)
{
	double x = c->type == CELL_INT ? (double)v->i : v->r;

	if (c->unit == UNIT_NS || c->unit == UNIT_TIMESTAMP)
		unit_torch_time(b, x, unit);
	else if (c->unit == UNIT_RATIO)
		unit_torch_share(b, x, 1);
	else if (c->unit == UNIT_BYTES && c->type == CELL_INT)
		unit_torch_bytes(b, v->i);
	else if (c->type == CELL_INT)
		unit_put_exact(b, v->i, 0);
	else
		unit_put_fixed(b, x, 3);
}

static void put_cell(struct str *b, const struct table *t, size_t row, size_t col, size_t width,
	const char *unit)
{
	const struct column *c = &t->col[col];
	const union cell *v = table_cell(t, row, col);

	if (v && c->type == CELL_TEXT)
		put_text(b, v->s, role_of(c), width);
	else if (v && cells_is_number(c))
		put_number(b, c, v, unit);
	else if (v)
		str_adds(b, v->b ? "True" : "False");
	else if (c->unit == UNIT_RATIO)
		unit_torch_share(b, 0, 0);
	else if (c->type != CELL_TEXT)
		str_adds(b, "--");
}

/* Python's {: >W} counts code points, not columns. */
static void put_padded(struct str *line, const struct str *cell, size_t width, bool right)
{
	size_t n = utf8_length(cell->s, cell->n), gap = n < width ? width - n : 0;

	width_pad(line, SPAN(""), right ? gap : 0, true);
	str_add(line, cell->s, cell->n);
	width_pad(line, SPAN(""), (right ? 0 : gap) + 2, true);
}

static void put_dashes(struct str *line, const struct table *t, const size_t *width)
{
	for (size_t i = 0; i < t->ncol; i++) {
		for (size_t n = 0; n < width[i]; n++)
			str_addc(line, '-');
		str_adds(line, width[i] ? "  " : "");
	}
	str_addc(line, '\n');
}

/* The headings where row is t->nrow, else a row. */
static void put_row(
	struct str *line, const struct table *t, size_t row, const size_t *width, const char *unit)
{
	SCOPED_STR cell = { 0 };

	for (size_t i = 0; i < t->ncol; i++) {
		if (width[i] == 0)
			continue;
		str_reset(&cell);
		if (row == t->nrow)
			str_adds(&cell, cells_title(&t->col[i]));
		else
			put_cell(&cell, t, row, i, width[i], unit);
		put_padded(line, &cell, width[i], role_of(&t->col[i]) != ROLE_SOURCE);
	}
	str_addc(line, '\n');
}

/* The two lines under the table, which the analysis made, as lines of their own. */
static void put_footnote(struct str *line, const char *s)
{
	while (*s) {
		size_t n = strcspn(s, "\n");

		escape_terminal(line, (struct span){ s, n }, true);
		str_addc(line, '\n');
		s += s[n] ? n + 1 : n;
	}
}

static void put_table(FILE *out, const struct table *t, const char *unit)
{
	SCOPED_ARENA mem = { 0 };
	SCOPED_STR line = { 0 };

	size_t *width = arena_array(&mem, t->ncol + 1, sizeof(*width));
	for (size_t i = 0; i < t->ncol; i++)
		width[i] = t->col[i].flags & COLUMN_HIDDEN ? 0 : width_of_column(t, i);
	put_dashes(&line, t, width);
	put_row(&line, t, t->nrow, width, unit);
	put_dashes(&line, t, width);
	for (size_t i = 0; i < t->nrow - t->nfoot; i++) {
		put_row(&line, t, i, width, unit);
		cells_flush(out, &line);
	}
	put_dashes(&line, t, width);
	if (t->footnote)
		put_footnote(&line, t->footnote);
	cells_flush(out, &line);
}

/* torch gives an empty text when there are no events, and so do we; an answer that was not laid out
 * for torch at all is another question. */
static enum status put(FILE *out, const struct result *r, const struct render *how, struct err *e)
{
	bool is_first = true, any = false;

	for (size_t i = 0; i < r->ntable; i++) {
		const struct table *t = r->table[i];

		any |= t->layout == TABLE_TORCH;
		if (t->layout != TABLE_TORCH || t->nrow == t->nfoot)
			continue;
		if (!is_first)
			fputc('\n', out);
		is_first = false;
		put_table(out, t, how->unit);
	}
	if (!any)
		return err_hinted(e, E_USAGE, "'traceq top' makes them",
			"--format torch is for tables of operators, and there are none here");
	return cells_done(out, e);
}

const struct renderer renderer_torch = {
	.name = "torch",
	.summary = "the table of torch's key_averages().table()",
	.doc = "Headings, columns and number formats are torch's, for what parses or compares them; "
	       "each kernel's time stands in its own row and in its operator's.",
	.suffix = NULL,
	.layout = TABLE_TORCH,
	.for_people = true,
	.put = put,
};
