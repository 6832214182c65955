/*
 * Stacks whose bytes grow along a history.
 */
#include <stdlib.h>

#include "analyze/measure/memory/memcurve.h"
#include "analyze/measure/memory/snapheld.h"
#include "base/compare3.h"
#include "base/minmax.h"
#include "base/saturate.h"

enum { NOT_FOLLOWED = UINT32_MAX };

struct following {
	const struct snapreplay *r;
	struct snapgrowths *g;
	uint32_t *row;  /* by stack: 1 + its row, 0: it is not followed */
	int64_t *bytes; /* by row */
	size_t sample;  /* the next one */
};

static size_t place_of_sample(const struct snapreplay *r, size_t i)
{
	size_t n = MIN(SNAPGROWTH_SAMPLES, r->n);

	return r->first + saturate_size(((double)i + 1) * (double)r->n / (double)n) - 1;
}

static size_t samples(const struct snapreplay *r)
{
	return MIN(SNAPGROWTH_SAMPLES, r->n);
}

/* Values in front of the entry that is looked at: all whose place is before it. */
static void sample(struct following *v, size_t entry)
{
	while (v->sample < samples(v->r) && place_of_sample(v->r, v->sample) < entry) {
		size_t at = place_of_sample(v->r, v->sample), i;
		int64_t us = snapreplay_at(v->r, at);

		for (i = 0; i < v->g->n; i++) {
			struct curve *c = &v->g->row[i].curve;

			c->x[c->n] =
				v->g->has_times ? (double)us / 1e6 : (double)(at - v->r->first);
			if (c->n && c->x[c->n] < c->x[c->n - 1])
				c->x[c->n] = c->x[c->n - 1];
			c->y[c->n++] = (double)v->bytes[i];
		}
		v->sample++;
	}
}

static bool take_step(void *ctx, const struct snapstep *s)
{
	struct following *v = ctx;

	sample(v, s->entry);
	if (s->change && !s->is_early && v->row[s->stack])
		saturate_onto(&v->bytes[v->row[s->stack] - 1], s->change);
	return true;
}

static int by_end(const void *pa, const void *pb)
{
	const struct snapheld_row *a = *(const struct snapheld_row *const *)pa;
	const struct snapheld_row *b = *(const struct snapheld_row *const *)pb;

	return COMPARE_BY(
		compare3(b->bytes[HELD_END], a->bytes[HELD_END]), compare3(a->stack, b->stack));
}

/* Rows for those that hold most in the end. */
static void choose(struct following *v, const struct snapheld *h, struct arena *mem)
{
	const struct snapheld_row **by = arena_array(mem, h->n, sizeof(*by));
	size_t i, n = 0, most = samples(v->r);

	for (i = 0; i < h->n; i++)
		if (h->row[i].bytes[HELD_END] > MEMCURVE_LEAK_BYTES && !h->row[i].is_unknown)
			by[n++] = &h->row[i];
	if (n > 1)
		qsort(by, n, sizeof(*by), by_end);
	n = MIN(n, SNAPGROWTH_STACKS);
	v->g->row = arena_array(mem, n, sizeof(*v->g->row));
	for (i = 0; i < n; i++) {
		struct snapgrowth *row = &v->g->row[v->g->n++];

		row->stack = by[i]->stack;
		row->blocks = by[i]->blocks[HELD_END];
		row->curve = (struct curve){ .is_exact = true };
		row->curve.x = arena_array(mem, most, sizeof(double));
		row->curve.y = arena_array(mem, most, sizeof(double));
		v->row[row->stack] = (uint32_t)v->g->n;
	}
	v->bytes = arena_array(mem, n, sizeof(*v->bytes));
}

static void find_trend(struct snapgrowth *row, double peak, struct arena *mem)
{
	struct curve half = row->curve;
	struct memtrend late;

	row->first = row->curve.n ? saturate_whole(row->curve.y[0]) : 0;
	row->last = row->curve.n ? saturate_whole(row->curve.y[row->curve.n - 1]) : 0;
	memtrend_of(&row->trend, &row->curve, peak, false, false, mem);
	row->sign = row->trend.sign;
	if (row->sign != MEMTREND_LEAK)
		return;
	half.x += half.n / 2;
	half.y += half.n / 2;
	half.n -= half.n / 2;
	memtrend_of(&late, &half, peak, false, false, mem);
	if (late.sign != MEMTREND_LEAK)
		row->sign = MEMTREND_STEADY; /* it filled up, and stays */
}

static int by_growth(const void *pa, const void *pb)
{
	const struct snapgrowth *a = pa, *b = pb;
	bool a_leaks = a->sign == MEMTREND_LEAK, b_leaks = b->sign == MEMTREND_LEAK;
	int64_t a_grew = saturate_sub(a->last, a->first), b_grew = saturate_sub(b->last, b->first);

	return COMPARE_BY(compare3_down(a_leaks, b_leaks), compare3(b_grew, a_grew),
		compare3(a->stack, b->stack));
}

void snapgrowths_init(struct snapgrowths *g, const struct snapreplay *r, const struct snapcurve *c,
	const struct snapheld *h, struct arena *mem)
{
	struct following v = { .r = r, .g = g };
	struct arena scratch;
	size_t i;

	*g = (struct snapgrowths){ 0 };
	if (r->n == 0)
		return;
	g->has_times = snapreplay_at(r, r->first) != MEMSNAP_UNKNOWN &&
		snapreplay_at(r, r->first + r->n - 1) > 0;
	arena_init(&scratch);
	v.row = arena_array(&scratch, r->m->stacks.n, sizeof(*v.row));
	choose(&v, h, mem);
	snapreplay_walk(r, take_step, &v);
	sample(&v, r->first + r->n);
	for (i = 0; i < g->n; i++)
		find_trend(&g->row[i], (double)c->peak.allocated, &scratch);
	arena_clear(&scratch);
	if (g->n > 1)
		qsort(g->row, g->n, sizeof(*g->row), by_growth);
}
