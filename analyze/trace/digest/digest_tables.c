/* Tables and notes of answers as bytes: what they are, then each column, top down. */
#include "analyze/trace/digest/digest_wire.h"

#include "base/table.h"

/* What stands in files: not to be changed, only added to. */
static const enum cell_type types[] = { CELL_TEXT, CELL_INT, CELL_REAL, CELL_BOOL };
static const enum unit units[] = { UNIT_NONE, UNIT_COUNT, UNIT_NS, UNIT_TIMESTAMP, UNIT_BYTES,
	UNIT_RATIO, UNIT_BYTES_PER_S, UNIT_FLOPS, UNIT_OF_ROW, UNIT_NJ };
static const unsigned flags[] = { COLUMN_ELASTIC, COLUMN_HIDDEN, COLUMN_CUMULATIVE, COLUMN_SPARE,
	COLUMN_NAME & ~(unsigned)COLUMN_ELASTIC, COLUMN_ROOM };
static const enum table_layout layouts[] = { TABLE_GRID, TABLE_LIST, TABLE_LINE, TABLE_TORCH,
	TABLE_TEXT, TABLE_LANES };
static const enum note_level levels[] = { NOTE_INFO, NOTE_WARNING, NOTE_ERROR };

enum { FLAG_SETS = 1 << COUNT_OF(flags), COLUMNS_MAX = 4096 };

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
	if (is_there && (w->in || *v))
		walk_word(w, v);
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

/* The known cells of a column, one behind the other. */
static void walk_column_cells(struct walk *w, enum cell_type type, union cell *v, size_t n)
{
	switch (type) {
	case CELL_TEXT: walk_texts(w, &v->s, n, sizeof(*v)); break;
	case CELL_INT: walk_column(w, &v->i, n, sizeof(*v), INT64_MIN); break;
	case CELL_REAL: walk_reals(w, &v->r, n, sizeof(*v)); break;
	case CELL_BOOL:
		for (EACH(union cell, cell, v, n))
			walk_bool(w, &cell->b);
		break;
	}
}

static void walk_cells(struct walk *w, struct table *t, size_t nrow)
{
	for (size_t col = 0; col < t->ncol; col++) {
		union cell *v = arena_array(walk_scratch(w), nrow, sizeof(*v));
		size_t n = 0;

		for (size_t row = 0; row < nrow; row++) {
			const union cell *cell = w->out ? table_cell(t, row, col) : NULL;
			bool is_known = cell != NULL;

			if (is_known)
				v[n] = *cell;
			walk_bool(w, &is_known);
			n += is_known;
			if (w->in)
				t->known[row * t->ncol + col] = is_known;
		}
		walk_column_cells(w, t->col[col].type, v, n);
		for (size_t row = 0, k = 0; w->in && row < nrow; row++)
			if (table_cell(t, row, col))
				t->cell[row * t->ncol + col] = v[k++];
	}
	for (size_t row = 0; row < nrow; row++) {
		enum unit unit = (enum unit)(t->unit ? t->unit[row] : UNIT_NONE);

		unit = WALK_PLACE(w, units, unit);
		walk_check(w, unit != UNIT_OF_ROW);
		if (w->in && t->unit)
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
	struct column *made = to ? arena_array(&to->r->mem, t->ncol, sizeof(*made)) : NULL;

	for (size_t i = 0; i < t->ncol && (made || t->col); i++) {
		struct column c = made ? (struct column){ .key = "", .title = "" } : t->col[i];

		walk_head(w, &c);
		if (!made || !to)
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
	if (to)
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
	if (!to || w->in->is_bad)
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
