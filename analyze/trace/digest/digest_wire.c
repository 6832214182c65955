/* Bytes of digests: one value after the other. */
#include "analyze/trace/digest/digest_wire.h"

#include "base/table.h"

enum { DIGIT_BITS = 7, DIGIT_MORE = 0x80, REAL_BYTES = 8, LAST_SHIFT = 63 };

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
	ARENA_PUSH(mem, w->text, w->ntext, w->text_cap, SPAN(""));
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

	if (w->at < w->end && *w->at < DIGIT_MORE) /* as most are */
		return *w->at++;
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
	ARENA_PUSH(w->mem, w->text, w->ntext, w->text_cap, v);
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

/* ---- either ---- */

void walk_check(struct walk *w, bool is_fine)
{
	if (w->in && !is_fine)
		wire_fail(w->in);
}

void walk_int(struct walk *w, int64_t *v, int64_t least)
{
	if (!w->in)
		wire_put_int(w->out, *v);
	else if ((*v = wire_int(w->in)) < least) {
		*v = least;
		wire_fail(w->in);
	}
}

void walk_real(struct walk *w, double *v)
{
	if (!w->in)
		wire_put_real(w->out, *v);
	else
		*v = wire_real(w->in);
}

void walk_bool(struct walk *w, bool *v)
{
	*v = walk_below(w, *v, 2) != 0;
}

void walk_text(struct walk *w, struct span *v)
{
	if (!w->in)
		wire_put_text(w->out, *v);
	else
		*v = wire_text(w->in);
}

size_t walk_below(struct walk *w, size_t v, size_t limit)
{
	if (w->in)
		return wire_below(w->in, limit);
	wire_put_count(w->out, v);
	return v;
}

size_t walk_many(struct walk *w, size_t n, size_t least)
{
	return w->in ? wire_many(w->in, least) : walk_below(w, n, SIZE_MAX);
}

void walk_step(struct walk *w, int64_t *v, int64_t *last)
{
	int64_t more = (int64_t)((uint64_t)*v - (uint64_t)*last);

	walk_int(w, &more, INT64_MIN);
	*v = *last = (int64_t)((uint64_t)*last + (uint64_t)more);
}

void walk_column(struct walk *w, int64_t *v, size_t n, size_t stride, int64_t least)
{
	if (!w->in) {
		wire_put_column(w->out, v, n, stride);
		return;
	}
	wire_column(w->in, v, n, stride);
	for (size_t i = 0; i < n; i++)
		if (at_stride(v, i, stride) < least) {
			memcpy((char *)v + i * stride, &least, sizeof(least));
			wire_fail(w->in);
		}
}

void *walk_rows(struct walk *w, void *v, size_t *n, size_t least, size_t size)
{
	*n = walk_many(w, *n, least);
	return w->in ? arena_array(w->in->mem, *n, size) : v;
}

int64_t *walk_naturals(struct walk *w, int64_t *v, size_t n, size_t *left)
{
	if (w->in) {
		if (n == 0 || n > *left || (size_t)(w->in->end - w->in->at) < n) {
			wire_fail(w->in);
			return NULL;
		}
		*left -= n;
		v = arena_array(w->in->mem, n, sizeof(*v));
	}
	walk_column(w, v, n, sizeof(*v), 0);
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

/* A value as its place in such a list. */
#define WALK_PLACE(w, list, value)                                                \
	__extension__({                                                           \
		size_t place_ = FIRST(k_, COUNT_OF(list), (list)[k_] == (value)); \
                                                                                  \
		place_ = walk_below(w, place_, COUNT_OF(list));                   \
		place_ < COUNT_OF(list) ? (list)[place_] : (value);               \
	})

/* A text of C, which has no NUL in it. */
static void walk_word(struct walk *w, const char **v)
{
	struct span text = !w->in ? span_of(*v) : SPAN("");

	walk_text(w, &text);
	walk_check(w, !memchr(text.p, '\0', text.n));
	*v = text.p;
}

/* A text that may be none. */
static void walk_maybe(struct walk *w, const char **v)
{
	bool is_there = *v != NULL;

	walk_bool(w, &is_there);
	if (is_there)
		walk_word(w, v);
}

/* Shares of 0 and 1 are most: 1 + a small whole number, or 0 and the bytes. */
static void walk_share(struct walk *w, double *v)
{
	bool is_whole = *v > -WHOLE_MAX && *v < WHOLE_MAX && *v == nearbyint(*v) &&
		!(*v == 0 && signbit(*v));
	uint64_t whole = is_whole
		? 1 + ((uint64_t)(int)saturate_whole(*v) << 1 ^ (*v < 0 ? UINT64_MAX : 0))
		: 0;

	if (!w->in)
		wire_put_count(w->out, whole);
	else
		whole = wire_count(w->in);
	if (whole == 0)
		walk_real(w, v);
	else
		*v = (double)(int64_t)((whole - 1) >> 1 ^ (whole & 1 ? 0 : UINT64_MAX));
}

/* Whole numbers as what they are more than the one above. */
static void walk_cell(struct walk *w, enum cell_type type, union cell *v, int64_t *last)
{
	switch (type) {
	case CELL_TEXT: walk_text(w, &v->s); break;
	case CELL_INT: walk_step(w, &v->i, last); break;
	case CELL_REAL: walk_share(w, &v->r); break;
	case CELL_BOOL: walk_bool(w, &v->b); break;
	}
}

static void walk_head(struct walk *w, struct column *c)
{
	size_t set = SUM(size_t, i, COUNT_OF(flags), (c->flags & flags[i] ? 1u : 0) << i);

	walk_word(w, &c->key);
	walk_word(w, &c->title);
	c->type = WALK_PLACE(w, types, c->type);
	c->unit = WALK_PLACE(w, units, c->unit);
	set = walk_below(w, set, FLAG_SETS);
	c->flags = SUM(unsigned, i, COUNT_OF(flags), set >> i & 1 ? flags[i] : 0);
}

static void walk_cells(struct walk *w, struct table *t, size_t nrow)
{
	for (size_t col = 0; col < t->ncol; col++) {
		int64_t last = 0;

		for (size_t row = 0; row < nrow; row++) {
			bool is_known = w->out && table_cell(t, row, col);

			walk_bool(w, &is_known);
			if (w->in)
				t->known[row * t->ncol + col] = is_known;
		}
		for (size_t row = 0; row < nrow; row++) {
			if (!table_cell(t, row, col))
				continue;
			union cell v = *table_cell(t, row, col);
			walk_cell(w, t->col[col].type, &v, &last);
			if (w->in)
				t->cell[row * t->ncol + col] = v;
		}
	}
	for (size_t row = 0; row < nrow; row++) {
		enum unit unit = (enum unit)(t->unit ? t->unit[row] : UNIT_NONE);

		unit = WALK_PLACE(w, units, unit);
		walk_check(w, unit != UNIT_OF_ROW);
		if (w->in)
			t->unit[row] = (uint8_t)unit;
	}
}

/* Where what is read goes to. */
struct taking {
	struct result *r;
	int input;
	const struct table_doc *doc;
	size_t ndocs;
};

/* The analysis' own row about that column, or NULL. */
static const struct column *find_doc(const char *key, const char *table, const struct taking *to)
{
	for (EACH(const struct table_doc, d, to->doc, to->ndocs))
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

/* The heads of a table's columns.  Those that are read are the result's. */
static void walk_heads(struct walk *w, struct table *t, const struct taking *to)
{
	struct column *made = w->in ? arena_array(&to->r->mem, t->ncol, sizeof(*made)) : NULL;

	for (size_t i = 0; i < t->ncol; i++) {
		struct column c = made ? (struct column){ 0 } : t->col[i];

		walk_head(w, &c);
		if (!made)
			continue;
		explain(&c, find_doc(c.key, t->id, to), &to->r->keep);
		made[i] = c;
	}
	t->col = made ? made : t->col;
}

/* Who gathers tables of many runs keeps their ids beyond each. */
static struct table *make_table(const struct table *t, const struct taking *to, bool is_about)
{
	const char *id = arena_copy(&to->r->keep, t->id, strlen(t->id));
	struct table *made = result_table(to->r, id, t->title, t->col, t->ncol);

	made->input = is_about ? to->input : -1;
	made->layout = t->layout;
	made->footnote = t->footnote;
	made->ncut = t->ncut;
	return made;
}

static void walk_table(struct walk *w, struct table *t, const struct taking *to)
{
	struct table head = *t;
	bool is_about = t->input >= 0;

	walk_word(w, &head.id);
	walk_maybe(w, &head.title);
	walk_maybe(w, &head.footnote);
	walk_bool(w, &is_about);
	head.layout = WALK_PLACE(w, layouts, head.layout);
	head.ncut = walk_below(w, head.ncut, INT32_MAX);
	head.ncol = walk_many(w, head.ncol, COLUMN_LEAST);
	walk_check(w, head.ncol > 0 && head.ncol <= COLUMNS_MAX);
	if (w->in && w->in->is_bad)
		return;
	walk_heads(w, &head, to);
	size_t nrow = walk_many(w, t->nrow, head.ncol);
	if (w->in)
		t = make_table(&head, to, is_about);
	t->nfoot = walk_below(w, t->nfoot, nrow + 1);
	for (size_t row = 0; w->in && !w->in->is_bad && row < nrow; row++)
		table_row(t);
	if (!w->in || !w->in->is_bad)
		walk_cells(w, t, nrow);
}

static void walk_note(struct walk *w, struct note n, const struct taking *to)
{
	bool is_about = n.input >= 0;

	n.level = WALK_PLACE(w, levels, n.level);
	walk_word(w, &n.id);
	walk_bool(w, &is_about);
	walk_int(w, &n.count, INT64_MIN);
	walk_int(w, &n.offset, INT64_MIN);
	walk_int(w, &n.line, INT64_MIN);
	walk_word(w, &n.text);
	if (!w->in || w->in->is_bad)
		return;
	result_note(to->r, n.level, arena_copy(&to->r->keep, n.id, strlen(n.id)),
		is_about ? to->input : -1, n.count, "%s", n.text);
	struct note *made = &to->r->note[to->r->nnote - 1];
	made->offset = n.offset;
	made->line = n.line;
}

void wire_put_tables(struct wire_out *out, const struct result *r)
{
	struct walk w = { .out = out };

	wire_put_count(out, r->ntable);
	for (size_t i = 0; i < r->ntable; i++)
		walk_table(&w, r->table[i], NULL);
	wire_put_count(out, r->nnote);
	for (size_t i = 0; i < r->nnote; i++)
		walk_note(&w, r->note[i], NULL);
}

void wire_tables(
	struct wire_in *in, struct result *r, int input, const struct table_doc *doc, size_t ndocs)
{
	const struct taking to = { r, input, doc, ndocs };
	struct walk w = { .in = in };
	size_t n = wire_many(in, TABLE_LEAST);

	for (size_t i = 0; i < n && !in->is_bad; i++)
		walk_table(&w, &(struct table){ .id = "", .input = -1 }, &to);
	n = wire_many(in, NOTE_LEAST);
	for (size_t i = 0; i < n && !in->is_bad; i++)
		walk_note(&w, (struct note){ .id = "", .text = "" }, &to);
}
