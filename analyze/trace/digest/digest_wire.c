/* Bytes of digests: one value after the other. */
#include "analyze/trace/digest/digest_wire.h"

#include "base/table.h"

enum { DIGIT_BITS = 7, DIGIT_MORE = 0x80, REAL_BYTES = 8, LAST_SHIFT = 63, FIRST_TEXTS = 64 };

static const uint64_t seed = 0x7769726574657874u;

void wire_begin(struct wire_out *w)
{
	*w = (struct wire_out){ 0 };
	strings_init(&w->texts, seed);
}

void wire_free(struct wire_out *w)
{
	str_free(&w->bytes);
	strings_clear(&w->texts);
}

void wire_put_count(struct wire_out *w, uint64_t v)
{
	for (; v >= DIGIT_MORE; v >>= DIGIT_BITS)
		str_addc(&w->bytes, (char)(v | DIGIT_MORE));
	str_addc(&w->bytes, (char)v);
}

void wire_put_int(struct wire_out *w, int64_t v)
{
	wire_put_count(w, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

void wire_put_real(struct wire_out *w, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	for (int i = 0; i < REAL_BYTES; i++)
		str_addc(&w->bytes, (char)(bits >> 8 * i));
}

void wire_put_bool(struct wire_out *w, bool v)
{
	wire_put_count(w, v);
}

/* The empty text is number 1 of itself: the strings have it from the beginning. */
void wire_put_text(struct wire_out *w, struct span v)
{
	size_t before = w->texts.n;
	sym number = strings_intern(&w->texts, v.p ? v : SPAN(""));

	if (w->texts.n == before) {
		wire_put_count(w, (uint64_t)number + 1);
		return;
	}
	wire_put_count(w, 0);
	wire_put_count(w, v.n);
	str_add(&w->bytes, v.p, v.n);
}

static int64_t at_stride(const int64_t *v, size_t i, size_t stride)
{
	int64_t one;

	memcpy(&one, (const char *)v + i * stride, sizeof(one));
	return one;
}

void wire_put_column(struct wire_out *w, const int64_t *v, size_t n, size_t stride)
{
	uint64_t last = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t one = (uint64_t)at_stride(v, i, stride);

		wire_put_int(w, (int64_t)(one - last));
		last = one;
	}
}

/* ---- reading ---- */

void wire_open(struct wire_in *w, struct span bytes, struct arena *mem)
{
	*w = (struct wire_in){ .at = (const unsigned char *)bytes.p, .mem = mem };
	w->end = w->at + bytes.n;
	w->text = arena_array(mem, FIRST_TEXTS, sizeof(*w->text));
	w->text_cap = FIRST_TEXTS;
	w->text[w->ntext++] = SPAN("");
}

bool wire_is_done(const struct wire_in *w)
{
	return !w->is_bad && w->at == w->end;
}

void wire_fail(struct wire_in *w)
{
	w->is_bad = true;
	w->at = w->end;
}

uint64_t wire_count(struct wire_in *w)
{
	uint64_t v = 0;
	unsigned shift = 0;

	for (; w->at < w->end && shift <= LAST_SHIFT; shift += DIGIT_BITS) {
		unsigned char digit = *w->at++;

		if (shift == LAST_SHIFT && digit > 1)
			break;
		v |= (uint64_t)(digit & (DIGIT_MORE - 1)) << shift;
		if (digit < DIGIT_MORE)
			return v;
	}
	wire_fail(w);
	return 0;
}

int64_t wire_int(struct wire_in *w)
{
	uint64_t v = wire_count(w);

	return (int64_t)(v >> 1 ^ (v & 1 ? UINT64_MAX : 0));
}

int64_t wire_natural(struct wire_in *w)
{
	int64_t v = wire_int(w);

	if (v >= 0)
		return v;
	wire_fail(w);
	return 0;
}

double wire_real(struct wire_in *w)
{
	uint64_t bits = 0;
	double v;

	if (w->end - w->at < REAL_BYTES) {
		wire_fail(w);
		return 0;
	}
	for (int i = 0; i < REAL_BYTES; i++)
		bits |= (uint64_t)*w->at++ << 8 * i;
	memcpy(&v, &bits, sizeof(v));
	return v;
}

bool wire_bool(struct wire_in *w)
{
	return wire_below(w, 2) != 0;
}

size_t wire_below(struct wire_in *w, size_t limit)
{
	uint64_t v = wire_count(w);

	if (v < limit)
		return (size_t)v;
	wire_fail(w);
	return 0;
}

size_t wire_many(struct wire_in *w, size_t least)
{
	uint64_t n = wire_count(w);

	if (n <= (uint64_t)(w->end - w->at) / least)
		return (size_t)n;
	wire_fail(w);
	return 0;
}

struct span wire_text(struct wire_in *w)
{
	uint64_t number = wire_count(w);

	if (number > w->ntext)
		wire_fail(w);
	if (w->is_bad)
		return SPAN("");
	if (number > 0)
		return w->text[number - 1];
	size_t n = wire_many(w, 1);
	struct span v = (struct span){ arena_copy(w->mem, n ? (const char *)w->at : "", n), n };
	w->at += n;
	w->text =
		arena_grow(w->mem, w->text, w->ntext, &w->text_cap, FIRST_TEXTS, sizeof(*w->text));
	w->text[w->ntext++] = v;
	return v;
}

void wire_column(struct wire_in *w, int64_t *v, size_t n, size_t stride)
{
	uint64_t last = 0;

	for (size_t i = 0; i < n; i++) {
		last += (uint64_t)wire_int(w);
		int64_t one = (int64_t)last;
		memcpy((char *)v + i * stride, &one, sizeof(one));
	}
}

int64_t *wire_naturals(struct wire_in *w, size_t n, size_t *left)
{
	int64_t *v;

	if (n == 0 || n > *left || (size_t)(w->end - w->at) < n) {
		wire_fail(w);
		return NULL;
	}
	*left -= n;
	v = arena_array(w->mem, n, sizeof(*v));
	wire_column(w, v, n, sizeof(*v));
	for (size_t i = 0; i < n; i++)
		if (v[i] < 0)
			wire_fail(w);
	return v;
}

/* ---- tables as bytes: what they are, then each column, top down ---- */

/* What stands in files: not to be changed, only added to. */
static const enum cell_type types[] = { CELL_TEXT, CELL_INT, CELL_REAL, CELL_BOOL };
static const enum unit units[] = { UNIT_NONE, UNIT_COUNT, UNIT_NS, UNIT_TIMESTAMP, UNIT_BYTES,
	UNIT_RATIO, UNIT_BYTES_PER_S, UNIT_FLOPS, UNIT_OF_ROW, UNIT_NJ };
static const unsigned flags[] = { COLUMN_ELASTIC, COLUMN_HIDDEN, COLUMN_CUMULATIVE, COLUMN_SPARE,
	COLUMN_NAME & ~(unsigned)COLUMN_ELASTIC, COLUMN_ROOM };
static const enum table_layout layouts[] = { TABLE_GRID, TABLE_LIST, TABLE_LINE, TABLE_TORCH,
	TABLE_TEXT, TABLE_LANES };
static const enum note_level levels[] = { NOTE_INFO, NOTE_WARNING, NOTE_ERROR };

enum { WHOLE_MAX = 1 << 20, FLAG_SETS = 1 << COUNT_OF(flags), COLUMNS_MAX = 4096 };

/* At least so many bytes each. */
enum { TABLE_LEAST = 8, COLUMN_LEAST = 5, NOTE_LEAST = 7 };

#define PLACE_OF(list, value, at)                                         \
	do {                                                              \
		for (at = 0; at < COUNT_OF(list) && list[at] != (value);) \
			at++;                                             \
	} while (0)

/* ---- writing ---- */

/* Shares of 0 and 1 are most: 1 + a small whole number, or 0 and the bytes. */
static void put_real(struct wire_out *w, double v)
{
	if (v > -WHOLE_MAX && v < WHOLE_MAX && v == nearbyint(v) && !(v == 0 && signbit(v))) {
		wire_put_count(
			w, 1 + ((uint64_t)(int)saturate_whole(v) << 1 ^ (v < 0 ? UINT64_MAX : 0)));
		return;
	}
	wire_put_count(w, 0);
	wire_put_real(w, v);
}

/* Whole numbers as what they are more than the one above. */
static void put_cell(struct wire_out *w, enum cell_type type, const union cell *v, int64_t *last)
{
	switch (type) {
	case CELL_TEXT: wire_put_text(w, v->s); break;
	case CELL_INT:
		wire_put_int(w, (int64_t)((uint64_t)v->i - (uint64_t)*last));
		*last = v->i;
		break;
	case CELL_REAL: put_real(w, v->r); break;
	case CELL_BOOL: wire_put_bool(w, v->b); break;
	}
}

static void put_column(struct wire_out *w, const struct column *c)
{
	size_t at;
	unsigned set = 0;

	wire_put_text(w, span_of(c->key));
	wire_put_text(w, span_of(c->title));
	PLACE_OF(types, c->type, at);
	wire_put_count(w, at);
	PLACE_OF(units, c->unit, at);
	wire_put_count(w, at);
	for (at = 0; at < COUNT_OF(flags); at++)
		set |= (c->flags & flags[at] ? 1u : 0) << at;
	wire_put_count(w, set);
}

/* A text that may be none. */
static void put_maybe(struct wire_out *w, const char *text)
{
	wire_put_bool(w, text != NULL);
	if (text)
		wire_put_text(w, span_of(text));
}

static void put_cells(struct wire_out *w, const struct table *t)
{
	size_t at;

	for (size_t col = 0; col < t->ncol; col++) {
		int64_t last = 0;

		for (size_t row = 0; row < t->nrow; row++)
			wire_put_bool(w, table_cell(t, row, col) != NULL);
		for (size_t row = 0; row < t->nrow; row++)
			if (table_cell(t, row, col))
				put_cell(w, t->col[col].type, table_cell(t, row, col), &last);
	}
	for (size_t row = 0; row < t->nrow; row++) {
		PLACE_OF(units, (enum unit)(t->unit ? t->unit[row] : UNIT_NONE), at);
		wire_put_count(w, at);
	}
}

static void put_table(struct wire_out *w, const struct table *t)
{
	size_t at;

	wire_put_text(w, span_of(t->id));
	put_maybe(w, t->title);
	put_maybe(w, t->footnote);
	wire_put_bool(w, t->input >= 0);
	PLACE_OF(layouts, t->layout, at);
	wire_put_count(w, at);
	wire_put_count(w, t->ncut);
	wire_put_count(w, t->ncol);
	for (size_t i = 0; i < t->ncol; i++)
		put_column(w, &t->col[i]);
	wire_put_count(w, t->nrow);
	wire_put_count(w, t->nfoot);
	put_cells(w, t);
}

void wire_put_tables(struct wire_out *w, const struct result *r)
{
	size_t at;

	wire_put_count(w, r->ntable);
	for (size_t i = 0; i < r->ntable; i++)
		put_table(w, r->table[i]);
	wire_put_count(w, r->nnote);
	for (EACH(const struct note, n, r->note, r->nnote)) {
		PLACE_OF(levels, n->level, at);
		wire_put_count(w, at);
		wire_put_text(w, span_of(n->id));
		wire_put_bool(w, n->input >= 0);
		wire_put_int(w, n->count);
		wire_put_int(w, n->offset);
		wire_put_int(w, n->line);
		wire_put_text(w, span_of(n->text));
	}
}

/* ---- reading ---- */

static const char *text_of(struct wire_in *w)
{
	struct span t = wire_text(w);

	if (memchr(t.p, '\0', t.n))
		wire_fail(w);
	return t.p;
}

static const char *maybe(struct wire_in *w)
{
	return wire_bool(w) ? text_of(w) : NULL;
}

static double take_real(struct wire_in *w)
{
	uint64_t whole = wire_count(w);

	if (whole == 0)
		return wire_real(w);
	whole--;
	return (double)(int64_t)(whole >> 1 ^ (whole & 1 ? UINT64_MAX : 0));
}

static void take_cell(struct wire_in *w, enum cell_type type, union cell *v, int64_t *last)
{
	switch (type) {
	case CELL_TEXT: v->s = wire_text(w); break;
	case CELL_INT: v->i = *last = (int64_t)((uint64_t)*last + (uint64_t)wire_int(w)); break;
	case CELL_REAL: v->r = take_real(w); break;
	case CELL_BOOL: v->b = wire_bool(w); break;
	}
}

/* The analysis' own row about that column, or NULL. */
static const struct column *find_doc(
	const char *key, const char *table, const struct table_doc *doc, size_t ndocs)
{
	for (EACH(const struct table_doc, d, doc, ndocs))
		for (size_t k = 0; strcmp(d->id, table) == 0 && k < d->ncol; k++)
			if (strcmp(d->col[k].key, key) == 0)
				return &d->col[k];
	return NULL;
}

/* Who sums pages up keeps columns for longer than the cells: their texts are constant, or kept. */
static void explain(struct column *c, const struct column *doc, struct arena *keep)
{
	bool is_same = doc && strcmp(doc->title, c->title) == 0;

	c->key = doc ? doc->key : arena_copy(keep, c->key, strlen(c->key));
	c->title = is_same ? doc->title : arena_copy(keep, c->title, strlen(c->title));
	c->doc = doc ? doc->doc : "";
	c->source = doc ? doc->source : NULL;
}

static void take_column(struct wire_in *w, struct column *c)
{
	c->key = text_of(w);
	c->title = text_of(w);
	c->type = types[wire_below(w, COUNT_OF(types))];
	c->unit = units[wire_below(w, COUNT_OF(units))];
	unsigned set = (unsigned)wire_below(w, FLAG_SETS);
	for (size_t i = 0; i < COUNT_OF(flags); i++)
		c->flags |= set >> i & 1 ? flags[i] : 0;
}

static void take_cells(struct wire_in *w, struct table *t, size_t nrow)
{
	size_t n = t->ncol;

	for (size_t row = 0; row < nrow; row++)
		table_row(t);
	for (size_t col = 0; col < n; col++) {
		int64_t last = 0;

		for (size_t row = 0; row < nrow; row++)
			t->known[row * n + col] = wire_bool(w);
		for (size_t row = 0; row < nrow; row++)
			if (t->known[row * n + col])
				take_cell(w, t->col[col].type, &t->cell[row * n + col], &last);
	}
	for (size_t row = 0; row < nrow; row++)
		t->unit[row] = (uint8_t)units[wire_below(w, COUNT_OF(units) - 1)];
}

static void take_table(
	struct wire_in *w, struct result *r, int input, const struct table_doc *doc, size_t ndocs)
{
	const char *id = text_of(w), *title = maybe(w), *footnote = maybe(w);
	bool is_about = wire_bool(w);
	enum table_layout layout = layouts[wire_below(w, COUNT_OF(layouts))];
	size_t cut = wire_below(w, INT32_MAX), ncol = wire_many(w, COLUMN_LEAST);
	struct column *col;

	if (ncol == 0 || ncol > COLUMNS_MAX)
		wire_fail(w);
	if (w->is_bad)
		return;
	col = arena_array(&r->mem, ncol, sizeof(*col));
	for (EACH(struct column, column, col, ncol)) {
		take_column(w, column);
		explain(column, find_doc(column->key, id, doc, ndocs), &r->keep);
	}
	size_t nrow = wire_many(w, ncol);
	/* Who gathers tables of many runs keeps their ids beyond each. */
	struct table *t = result_table(r, arena_copy(&r->keep, id, strlen(id)), title, col, ncol);
	t->input = is_about ? input : -1;
	t->layout = layout;
	t->footnote = footnote;
	t->ncut = cut;
	t->nfoot = wire_below(w, nrow + 1);
	if (!w->is_bad)
		take_cells(w, t, nrow);
}

static void take_note(struct wire_in *w, struct result *r, int input)
{
	enum note_level level = levels[wire_below(w, COUNT_OF(levels))];
	const char *id = text_of(w);
	bool is_about = wire_bool(w);
	int64_t count = wire_int(w), offset = wire_int(w), line = wire_int(w);
	const char *text = text_of(w);

	if (w->is_bad)
		return;
	result_note(r, level, arena_copy(&r->keep, id, strlen(id)), is_about ? input : -1, count,
		"%s", text);
	struct note *n = &r->note[r->nnote - 1];
	n->offset = offset;
	n->line = line;
}

void wire_tables(
	struct wire_in *w, struct result *r, int input, const struct table_doc *doc, size_t ndocs)
{
	size_t n = wire_many(w, TABLE_LEAST);

	for (size_t i = 0; i < n && !w->is_bad; i++)
		take_table(w, r, input, doc, ndocs);
	n = wire_many(w, NOTE_LEAST);
	for (size_t i = 0; i < n && !w->is_bad; i++)
		take_note(w, r, input);
}
