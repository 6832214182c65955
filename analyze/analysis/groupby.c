/* Grouping: order, limit, rows, the row of those left out. */
#include "analyze/analysis/groupby.h"

#include <assert.h>

#include "analyze/analysis/row_limit.h"
#include "analyze/stat/stats.h"
#include "base/parallel.h"

void groups_init(struct groups *g, size_t key_size, size_t size, const void *fresh, size_t nnear)
{
	*g = (struct groups){ .size = size, .fresh = fresh };
	keymap_init(&g->keys, key_size);
	g->near = nnear ? zeroed(nnear, sizeof(uint32_t)) : NULL;
}

void groups_clear(struct groups *g)
{
	keymap_clear(&g->keys);
	FREE_ALL(g->item, g->near);
	*g = (struct groups){ 0 };
}

uint32_t groups_find(struct groups *g, const void *key)
{
	return keymap_find(&g->keys, key);
}

uint32_t groups_find_near(struct groups *g, uint32_t near, const void *key)
{
	uint32_t at = g->near[near];

	if (at && memcmp(groups_item(g, at - 1), key, g->keys.size) == 0)
		return at - 1;
	at = keymap_find(&g->keys, key);
	if (at != KEYMAP_NONE)
		g->near[near] = at + 1;
	return at;
}

uint32_t groups_add(struct groups *g, const void *key)
{
	uint32_t at = keymap_add(&g->keys, key);

	if (at < g->n)
		return at;
	g->item = array_grow(g->item, &g->cap, g->n + 1, g->size);
	g->n++;
	char *item = groups_item(g, at);
	if (g->fresh)
		memcpy(item, g->fresh, g->size);
	else
		memset(item, 0, g->size);
	memcpy(item, key, g->keys.size);
	return at;
}

uint32_t groups_add_near(struct groups *g, uint32_t near, const void *key)
{
	uint32_t at = groups_find_near(g, near, key);

	if (at != KEYMAP_NONE)
		return at;
	at = groups_add(g, key);
	g->near[near] = at + 1;
	return at;
}

struct groupby groupby_of(const struct grouping *how, struct perrun *at,
	const struct table_doc *doc, const struct groups *from, void *ctx)
{
	return (struct groupby){ .how = how,
		.at = at,
		.doc = doc,
		.ctx = ctx,
		.item = from->item,
		.size = from->size,
		.n = from->n,
		.none = from->fresh };
}

enum status groupby_rows(
	struct groupby *g, const struct table *from, size_t name, const struct column_from *share)
{
	struct field_row *v = arena_array(&g->at->mem, from->nrow, sizeof(*v));

	g->item = v;
	g->size = sizeof(*v);
	for (size_t i = 0; i < from->nrow; i++) {
		struct field_row row = { from, i };
		bool yes;

		if (g->how->takes && !g->how->takes(g->ctx, &row))
			continue;
		if (share)
			g->of.whole += MAX(fields_number(share, &row, &g->of).v, 0);
		TRY(filter_text(g->at->set, table_text_at(from, i, name), &yes, g->at->e));
		if (yes)
			v[g->n++] = row;
	}
	return OK;
}

void groupby_limit(struct groupby *g, int64_t asked)
{
	g->limit = rows_limit(g->at->q, asked, g->how->people, SIZE_MAX);
}

/* --- the order --- */

/* What is moved while groups are put in order: mostly the value tells. */
struct key {
	double value;
	const struct groupby_place *place;
};

static int compare(const void *pa, const void *pb)
{
	const struct key *x = pa, *y = pb;
	const struct groupby_place *a = x->place, *b = y->place;
	int c = compare3_down(x->value, y->value);

	return c ? c
		 : COMPARE_BY(compare3(b->value, a->value), compare3(a->a[0], b->a[0]),
			   compare3(a->a[1], b->a[1]), span_cmp(a->name, b->name),
			   compare3(a->b[0], b->b[0]), compare3(a->b[1], b->b[1]), compare3(a, b));
}

/* v[0..n) is a heap with the last in order on top, but for v[i]. */
static void sift(struct key *v, size_t n, size_t i)
{
	struct key moved = v[i];
	size_t child;

	for (; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && compare(&v[child], &v[child + 1]) < 0)
			child++;
		if (compare(&v[child], &moved) <= 0)
			break;
		v[i] = v[child];
	}
	v[i] = moved;
}

/* The first k of n in order, in front of the others, which are in none.  O(n log k), mostly O(n).
 */
static void order_first(struct key *v, size_t n, size_t k)
{
	for (size_t i = k / 2; k < n && i-- > 0;)
		sift(v, k, i);
	for (size_t i = k; i < n; i++) {
		struct key next = v[i];

		if (compare(&next, &v[0]) >= 0)
			continue;
		v[i] = v[0];
		v[0] = next;
		sift(v, k, 0);
	}
	sort_rows(v, k, sizeof(*v), compare);
}

/* A column that is no field has no value for any group. */
static const struct column_from by_place = { 0 };

static double place_group(struct groupby *g, size_t i, struct groupby_place *p)
{
	const struct column *name = &g->doc->col[g->how->name];
	const void *item = groupby_item(g, i);
	struct fields_number value = fields_number(g->by, item, &g->of);

	p->value = value.whole;
	if (g->how->place)
		g->how->place(g->ctx, item, p);
	else if (name->type == CELL_TEXT)
		p->name = fields_text(&name->from, item, &g->of);
	return value.v;
}

void groupby_rank(struct groupby *g)
{
	const struct grouping *how = g->how;

	g->of.names = &g->at->run->strings;
	g->of.for_people = g->at->q->for_people;
	if (!g->by)
		g->by = how->sort == GROUPBY_PLACE ? &by_place : &g->doc->col[how->sort].from;
	g->row = arena_array(&g->at->mem, g->n + 1, sizeof(*g->row));
	struct arena_mark mark = arena_mark(&g->at->mem);
	struct groupby_place *place = arena_array(&g->at->mem, g->n, sizeof(*place));
	struct key *key = arena_array(&g->at->mem, g->n, sizeof(*key));
	for (size_t i = 0; i < g->n; i++) {
		if (how->takes && !how->takes(g->ctx, groupby_item(g, i)))
			continue;
		key[g->nrow++] = (struct key){ place_group(g, i, &place[i]), &place[i] };
	}
	g->shown = g->limit ? MIN(g->nrow, g->limit) : g->nrow;
	order_first(key, g->nrow, g->is_ordered ? g->nrow : g->shown);
	for (size_t i = 0; i < g->nrow; i++)
		g->row[i] = (uint32_t)(key[i].place - place);
	arena_reset(&g->at->mem, mark);
}

/* --- columns --- */

/* Those people see first, in their order, then the others, hidden. */
static void arrange(struct groupby *g, struct column *col, size_t *n)
{
	const struct column *from = g->doc->col;
	uint64_t seen = g->without;
	size_t i;

	for (i = 0, *n = 0; i < g->norder; i++) {
		seen |= UINT64_C(1) << g->order[i];
		g->at_col[g->order[i]] = (uint8_t)*n;
		col[(*n)++] = from[g->order[i]];
	}
	for (i = 0; i < g->doc->ncol; i++) {
		if (seen >> i & 1)
			continue;
		g->at_col[i] = (uint8_t)*n;
		col[*n] = from[i];
		col[(*n)++].flags |= COLUMN_HIDDEN;
	}
}

static void hide(struct groupby *g, struct column *col)
{
	for (size_t i = 0; i < g->doc->ncol; i++) {
		col[i] = g->doc->col[i];
		if (g->hide >> i & 1)
			col[i].flags |= COLUMN_HIDDEN;
	}
}

void groupby_table(struct groupby *g)
{
	struct table_doc doc = *g->doc;
	struct column *col = arena_array(&g->at->out->mem, doc.ncol, sizeof(*col));

	assert(doc.ncol <= GROUPBY_COLUMNS);
	if (g->order)
		arrange(g, col, &doc.ncol);
	else
		hide(g, col);
	doc.col = col;
	g->t = perrun_table(g->at, &doc);
}

size_t groupby_column(const struct groupby *g, size_t col)
{
	return g->order ? g->at_col[col] : col;
}

void groupby_int(const struct groupby *g, size_t col, int64_t v)
{
	table_int(g->t, groupby_column(g, col), v);
}

void groupby_real(const struct groupby *g, size_t col, double v)
{
	table_real(g->t, groupby_column(g, col), v);
}

void groupby_text(const struct groupby *g, size_t col, struct span v)
{
	table_text(g->t, groupby_column(g, col), v);
}

/* --- quantiles --- */

void groupby_sample_begin(struct groupby *g, size_t nseries)
{
	const struct column_from *calls = &g->doc->col[g->how->calls].from;
	size_t n = 0;

	g->nseries = nseries;
	g->slot = arena_array(&g->at->mem, g->n + 1, sizeof(*g->slot));
	for (size_t k = 0; k < nseries; k++) {
		g->series[k].begin = arena_array(&g->at->mem, g->shown + 1, sizeof(size_t));
		g->series[k].next = arena_array(&g->at->mem, g->shown + 1, sizeof(size_t));
	}
	for (size_t i = 0; i < g->shown; i++) {
		g->slot[g->row[i]] = (uint32_t)i + 1;
		for (size_t k = 0; k < nseries; k++)
			g->series[k].begin[i] = g->series[k].next[i] = n;
		n += (size_t)fields_number(calls, groupby_item(g, g->row[i]), &g->of).whole;
	}
	for (size_t k = 0; k < nseries; k++)
		g->series[k].v = xmalloc((n + 1) * sizeof(int64_t));
}

/* The columns of that series, the largest percentile first.  What people do not see is left out. */
static size_t quantile_columns(const struct groupby *g, size_t series, size_t *at, double *q)
{
	size_t k, n = 0;

	for (size_t i = 0; i < g->t->ncol; i++) {
		const struct column *c = &g->t->col[i];

		if (c->from.how != FIELDS_QUANTILE || c->from.b != series ||
			(g->of.for_people && (c->flags & COLUMN_HIDDEN)))
			continue;
		for (k = n++; k > 0 && q[k - 1] * 100 < c->from.a; k--) {
			q[k] = q[k - 1];
			at[k] = at[k - 1];
		}
		q[k] = (double)c->from.a / 100;
		at[k] = i;
	}
	return n;
}

static void quantile_job(void *ctx, size_t i)
{
	struct groupby *g = ctx;
	double q[GROUPBY_COLUMNS], x[GROUPBY_COLUMNS];
	size_t at[GROUPBY_COLUMNS], n;

	for (size_t k = 0; k < g->nseries; k++) {
		const struct groupby_series *s = &g->series[k];

		n = quantile_columns(g, k, at, q);
		FILL(x, n, NAN);
		stats_quantiles(s->v + s->begin[i], s->next[i] - s->begin[i], q, n, x);
		for (size_t c = 0; c < n; c++)
			g->quantile[i * g->t->ncol + at[c]] = x[c];
	}
}

void groupby_sample_end(struct groupby *g, unsigned threads)
{
	size_t n = g->shown * g->t->ncol;

	g->quantile = arena_array(&g->at->mem, n + 1, sizeof(*g->quantile));
	FILL(g->quantile, n, NAN);
	parallel_run(g->shown, threads, quantile_job, g);
	for (size_t k = 0; k < g->nseries; k++)
		free(g->series[k].v);
}

/* --- rows --- */

static void put_running(struct groupby *g, size_t col, const void *item)
{
	struct column_from value = g->t->col[col].from;

	value.how = FIELDS_VALUE;
	struct fields_number v = fields_number(&value, item, &g->of);
	if (isnan(v.v))
		return;
	saturate_onto(&g->running, v.whole);
	table_real(g->t, col, ratio_of((double)g->running, g->of.whole));
}

void groupby_put_row(const struct groupby *g, uint32_t group)
{
	const void *item = groupby_item(g, group);

	fields_row(g->t, item, &g->of);
	if (g->how->put)
		g->how->put(g, item, group);
}

/* What the groups of rows [from, nrow) have together; row: it is there already. */
static void put_sum(struct groupby *g, size_t from, bool is_rest)
{
	void *sum = arena_alloc(&g->at->mem, g->size);

	if (g->none)
		memcpy(sum, g->none, g->size);
	for (size_t i = from; i < g->nrow; i++)
		g->how->join(sum, groupby_item(g, g->row[i]));
	for (size_t i = 0; i < g->t->ncol; i++) {
		if (g->t->col[i].adds_up)
			fields_put_one(g->t, i, sum, &g->of);
		if (g->t->col[i].from.how == FIELDS_RUNNING && is_rest)
			put_running(g, i, sum);
	}
	if (g->how->put_sum)
		g->how->put_sum(g, sum, from);
}

size_t groupby_put_rows(struct groupby *g)
{
	if (!g->row)
		groupby_rank(g);
	for (size_t i = 0; i < g->shown; i++) {
		groupby_put_row(g, g->row[i]);
		for (size_t col = 0; col < g->t->ncol; col++) {
			if (g->t->col[col].from.how == FIELDS_RUNNING)
				put_running(g, col, groupby_item(g, g->row[i]));
			if (g->t->col[col].from.how == FIELDS_QUANTILE && g->quantile)
				table_real(g->t, col, g->quantile[i * g->t->ncol + col]);
		}
	}
	return g->nrow - g->shown;
}

void groupby_put(struct groupby *g)
{
	if (!g->row)
		groupby_rank(g);
	if (g->nrow == 0)
		return;
	if (!g->t)
		groupby_table(g);
	(void)groupby_put_rows(g);
	rows_cut(g->t, groupby_column(g, g->how->name), g->nrow - g->shown);
	if (!g->how->join)
		return;
	if (g->shown < g->nrow)
		put_sum(g, g->shown, true);
	table_row(g->t);
	groupby_text(g, g->how->name, SPAN("total"));
	put_sum(g, 0, false);
	g->t->nfoot++;
}
