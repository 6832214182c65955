/* Rows in the order that a statement groups or sorts by, without SQLite's sorter. */
#include "analyze/answer/sql/sql_engine.h"

/* ---- texts of several runs as one dictionary ---- */

static void merge(struct sql_engine *s, struct sql_texts *to, enum schema_dictionary d)
{
	strings_init(&to->merged, 0);
	to->of = arena_array(&s->mem, s->nrun, sizeof(*to->of));
	for (size_t r = 0; r < s->nrun; r++) {
		size_t n = columns_texts(&s->run[r], d);

		to->of[r] = arena_array(&s->mem, n, sizeof(**to->of));
		for (size_t i = 0; i < n; i++)
			to->of[r][i] = strings_intern(
				&to->merged, columns_text(&s->run[r], d, (uint32_t)i));
	}
	to->text = to->merged.text;
	to->n = to->merged.n;
}

static struct sql_texts *texts_of(struct sql_engine *s, enum schema_dictionary d)
{
	struct sql_texts *to = &s->texts[d];

	if (to->is_made)
		return to;
	to->is_made = true;
	if (s->nrun > 1) {
		merge(s, to, d);
		return to;
	}
	to->n = columns_texts(&s->run[0], d);
	to->text = arena_array(&s->mem, to->n, sizeof(*to->text));
	for (size_t i = 0; i < to->n; i++)
		to->text[i] = columns_text(&s->run[0], d, (uint32_t)i);
	return to;
}

uint32_t sql_text_number(struct sql_engine *s, enum schema_dictionary d, size_t run, uint32_t id)
{
	return s->nrun == 1 ? id : texts_of(s, d)->of[run][id];
}

struct placed {
	struct span text;
	uint32_t number;
};

/* As SQLite's BINARY: by bytes, of equals the shorter one. */
ORDER(by_bytes, struct placed, span_cmp(a->text, b->text))

static uint32_t place_of(struct sql_engine *s, enum schema_dictionary d, uint32_t number)
{
	struct sql_texts *to = texts_of(s, d);

	if (to->place)
		return to->place[number];
	struct placed *v = zeroed(to->n, sizeof(*v));
	to->place = arena_array(&s->mem, to->n, sizeof(*to->place));
	for (size_t i = 0; i < to->n; i++)
		v[i] = (struct placed){ to->text[i], (uint32_t)i };
	qsort(v, to->n, sizeof(*v), by_bytes);
	for (size_t i = 0; i < to->n; i++)
		to->place[v[i].number] = (uint32_t)i;
	free(v);
	return to->place[number];
}

/* ---- keys ---- */

#define SIGN (UINT64_C(1) << 63)

uint64_t sql_key(struct sql_engine *s, struct sql_column col, size_t run, size_t row)
{
	const struct columns *c = &s->run[run];
	const struct schema_column *of = col.of;

	if (of->type == SCHEMA_TEXT) {
		uint32_t id = of->at.text(c, row);

		if (id == SCHEMA_NO_TEXT)
			return 0;
		id = sql_text_number(s, of->dictionary, run, id);
		return 1 + (uint64_t)(col.is_id ? id : place_of(s, of->dictionary, id));
	}
	if (of->type != SCHEMA_REAL)
		return (uint64_t)of->at.i64(c, row) ^ SIGN;
	double v = of->at.real(c, row);
	uint64_t bits;
	if (v != v)
		return 0;
	v = v == 0 ? 0 : v; /* -0 is 0 */
	memcpy(&bits, &v, sizeof(bits));
	return bits & SIGN ? ~bits : bits | SIGN;
}

/* ---- rows ---- */

size_t sql_count(struct sql_engine *s, struct sql_source *t)
{
	if (!t->begin) {
		t->begin = arena_array(&s->mem, s->nrun + 1, sizeof(*t->begin));
		for (size_t r = 0; r < s->nrun; r++)
			t->begin[r + 1] = t->begin[r] + columns_rows(&s->run[r], t->id);
	}
	return t->begin[s->nrun];
}

size_t sql_run_of(const struct sql_engine *s, const struct sql_source *t, size_t row)
{
	return PARTITION_POINT(r, 0, s->nrun, t->begin[r + 1] <= row);
}

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, KEY_BITS = 64 };

struct sorting {
	struct item {
		uint64_t key;
		uint32_t row;
	} * from, *to;
	size_t n;
};

/* One digit, equals as they were; nothing moves where all have the same. */
static void sort_digit(struct sorting *w, unsigned shift)
{
	size_t begin[DIGITS + 1] = { 0 };

	for (size_t i = 0; i < w->n; i++)
		begin[(w->from[i].key >> shift & (DIGITS - 1)) + 1]++;
	if (w->n == 0 || begin[(w->from[0].key >> shift & (DIGITS - 1)) + 1] == w->n)
		return;
	for (size_t d = 0; d < DIGITS; d++)
		begin[d + 1] += begin[d];
	for (size_t i = 0; i < w->n; i++)
		w->to[begin[w->from[i].key >> shift & (DIGITS - 1)]++] = w->from[i];
	struct item *was = w->from;
	w->from = w->to;
	w->to = was;
}

static void sort_by(
	struct sql_engine *s, const struct sql_source *t, struct sql_term term, struct sorting *w)
{
	const uint64_t flip = term.is_desc ? UINT64_MAX : 0;

	for (size_t i = 0; i < w->n; i++) {
		size_t row = w->from[i].row, run = sql_run_of(s, t, row);

		w->from[i].key = sql_key(s, t->col[term.col], run, row - t->begin[run]) ^ flip;
	}
	for (unsigned shift = 0; shift < KEY_BITS; shift += DIGIT_BITS)
		sort_digit(w, shift);
}

static bool is_same(const struct sql_terms *a, const struct sql_terms *b)
{
	return a->n == b->n &&
		ALL(i, a->n, a->v[i].col == b->v[i].col && a->v[i].is_desc == b->v[i].is_desc);
}

const uint32_t *sql_order(struct sql_engine *s, struct sql_source *t, const struct sql_terms *terms)
{
	const struct sql_order *known = FIND(i, s->order, s->norder,
		s->order[i].table == t->id && is_same(&s->order[i].terms, terms));
	struct sorting w = { .n = sql_count(s, t) };

	if (known)
		return known->row;
	if (w.n >= UINT32_MAX)
		return NULL;
	w.from = zeroed(w.n + 1, sizeof(*w.from));
	w.to = zeroed(w.n + 1, sizeof(*w.to));
	for (size_t i = 0; i < w.n; i++)
		w.from[i].row = (uint32_t)i;
	for (size_t k = terms->n; k-- > 0;)
		sort_by(s, t, terms->v[k], &w);
	uint32_t *row = zeroed(w.n + 1, sizeof(*row));
	for (size_t i = 0; i < w.n; i++)
		row[i] = w.from[i].row;
	FREE_ALL(w.from, w.to);
	PUSH(s->order, s->norder, s->order_cap,
		(struct sql_order){ .table = t->id, .terms = *terms, .row = row });
	return row;
}

void sql_orders_clear(struct sql_engine *s)
{
	for (EACH(struct sql_order, o, s->order, s->norder))
		free(o->row);
	free(s->order);
	for (EACH(struct sql_texts, texts, s->texts, DICTIONARY_COUNT))
		if (texts->of)
			strings_clear(&texts->merged);
}
