/* Bytes by stack at moments of a history. */
#include "analyze/measure/memory/snapheld.h"

#include "analyze/measure/memory/memcurve.h"
#include "analyze/measure/memory/snapstack.h"
#include "base/base.h"

/* Running sums.  The last slot is of blocks nobody knows the stack of. */
struct holding {
	const struct snapreplay *r;
	const struct snapcurve *c;
	struct snapheld_row *row;
	int64_t *bytes, *blocks, *early;
	size_t nslot, oom; /* oom: its entry, or SIZE_MAX */
	bool is_peak_over, is_oom_over;
};

static size_t slot_of(const struct holding *v, uint32_t stack, bool is_unknown)
{
	return is_unknown ? v->nslot - 1 : stack;
}

static void keep(struct holding *v, enum snapheld_when when)
{
	for (size_t i = 0; i < v->nslot; i++) {
		v->row[i].bytes[when] = v->bytes[i];
		v->row[i].blocks[when] = v->blocks[i];
		if (when == HELD_PEAK)
			v->row[i].early = v->early[i];
	}
}

static void change(struct holding *v, size_t slot, int64_t bytes, bool is_early)
{
	saturate_onto(&v->bytes[slot], bytes);
	v->blocks[slot] += bytes > 0 ? 1 : -1;
	if (is_early)
		saturate_onto(&v->early[slot], bytes);
}

static bool take_step(void *ctx, const struct snapstep *s)
{
	struct holding *v = ctx;

	if (!v->is_peak_over && s->entry > v->c->peak.entry) {
		v->is_peak_over = true;
		keep(v, HELD_PEAK);
	}
	if (!v->is_oom_over && v->oom != SIZE_MAX && s->entry > v->oom) {
		v->is_oom_over = true;
		keep(v, HELD_OOM);
	}
	if (s->change)
		change(v, slot_of(v, s->stack, s->is_early && v->r->early[s->block].is_freed),
			s->change, s->is_early);
	return true;
}

static int by_held(const void *pa, const void *pb)
{
	const struct snapheld_row *a = pa, *b = pb;

	return FIND_VALUE(w, HELD_WHENS, a->bytes[w] != b->bytes[w],
		compare3(b->bytes[w], a->bytes[w]), compare3(a->stack, b->stack));
}

static bool holds(const struct snapheld_row *r)
{
	return r->bytes[HELD_PEAK] > 0 || r->bytes[HELD_OOM] > 0 || r->bytes[HELD_END] > 0;
}

/* Those that hold anything, most first; mem's, where slots of all stacks were before. */
static void rank(
	struct snapheld *h, const struct snapheld_row *row, size_t nslot, struct arena *mem)
{
	size_t i;

	for (i = 0, h->n = 0; i < nslot; i++)
		h->n += holds(&row[i]);
	h->row = arena_array(mem, h->n, sizeof(*h->row));
	for (i = 0, h->n = 0; i < nslot; i++)
		if (holds(&row[i]))
			h->row[h->n++] = row[i];
	sort_rows(h->row, h->n, sizeof(*h->row), by_held);
}

static struct snapheld_row *rows(struct arena *mem, size_t n)
{
	struct snapheld_row *row = arena_array(mem, n, sizeof(*row));

	for (size_t i = 0; i < n; i++)
		row[i].stack = (uint32_t)i;
	row[n - 1].stack = 0;
	row[n - 1].is_unknown = true;
	return row;
}

void snapheld_init(struct snapheld *h, const struct snapreplay *r, const struct snapcurve *c,
	struct arena *mem)
{
	size_t n = r->m->stacks.n + 1;
	struct holding v = { .r = r, .c = c, .nslot = n };
	SCOPED_ARENA scratch = { 0 };

	v.row = rows(&scratch, n);
	v.bytes = arena_array(&scratch, n, sizeof(*v.bytes));
	v.blocks = arena_array(&scratch, n, sizeof(*v.blocks));
	v.early = arena_array(&scratch, n, sizeof(*v.early));
	v.oom = c->noom ? c->oom[c->noom - 1].entry : SIZE_MAX;
	for (size_t i = 0; i < r->nearly; i++)
		change(&v, slot_of(&v, r->early[i].stack, r->early[i].is_freed), r->early[i].size,
			true);
	if (c->peaks_at_start)
		keep(&v, HELD_PEAK);
	v.is_peak_over = c->peaks_at_start;
	snapreplay_walk(r, take_step, &v);
	if (!v.is_peak_over)
		keep(&v, HELD_PEAK);
	if (!v.is_oom_over && v.oom != SIZE_MAX)
		keep(&v, HELD_OOM);
	keep(&v, HELD_END);
	*h = (struct snapheld){ .has_oom = v.oom != SIZE_MAX };
	rank(h, v.row, n, mem);
}

void snapheld_blocks(struct snapheld *h, const struct memsnap *m, int64_t device, struct arena *mem)
{
	size_t n = m->stacks.n + 1;
	SCOPED_ARENA scratch = { 0 };

	*h = (struct snapheld){ 0 };
	struct snapheld_row *row = rows(&scratch, n);
	for (EACH(const struct memsnap_segment, s, m->segment, m->nsegment)) {
		for (size_t k = s->block; s->device == device && k < s->block + s->nblock; k++) {
			const struct memsnap_block *b = &m->block[k];

			if (b->state != MEMSNAP_ALLOCATED)
				continue;
			saturate_onto(&row[b->stack].bytes[HELD_END],
				b->requested == MEMSNAP_UNKNOWN ? b->size : b->requested);
			row[b->stack].blocks[HELD_END]++;
		}
	}
	rank(h, row, n, mem);
}

/* ---- stacks whose bytes grow along a history ---- */

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
		size_t at = place_of_sample(v->r, v->sample);
		int64_t us = snapreplay_at(v->r, at);

		for (size_t i = 0; i < v->g->n; i++) {
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

static bool follow_step(void *ctx, const struct snapstep *s)
{
	struct following *v = ctx;

	sample(v, s->entry);
	if (s->change && !s->is_early && v->row[s->stack])
		saturate_onto(&v->bytes[v->row[s->stack] - 1], s->change);
	return true;
}

ORDER(by_end, struct snapheld_row *const, compare3((*b)->bytes[HELD_END], (*a)->bytes[HELD_END]),
	compare3((*a)->stack, (*b)->stack))

/* Rows for those that hold most in the end. */
static void choose(struct following *v, const struct snapheld *h, struct arena *mem)
{
	const struct snapheld_row **by = arena_array(mem, h->n, sizeof(*by));
	size_t n = 0, most = samples(v->r);

	for (size_t i = 0; i < h->n; i++)
		if (h->row[i].bytes[HELD_END] > MEMCURVE_LEAK_BYTES && !h->row[i].is_unknown)
			by[n++] = &h->row[i];
	sort_rows(by, n, sizeof(*by), by_end);
	n = MIN(n, SNAPGROWTH_STACKS);
	v->g->row = arena_array(mem, n, sizeof(*v->g->row));
	for (size_t i = 0; i < n; i++) {
		struct snapgrowth *row = &v->g->row[v->g->n++];

		row->stack = by[i]->stack;
		row->blocks = by[i]->blocks[HELD_END];
		row->curve = (struct curve){
			.is_exact = true,
			.x = arena_array(mem, most, sizeof(double)),
			.y = arena_array(mem, most, sizeof(double)),
		};
		v->row[row->stack] = (uint32_t)v->g->n;
	}
	v->bytes = arena_array(mem, n, sizeof(*v->bytes));
}

static void find_trend(
	struct snapgrowth *row, const struct memsnap *m, double peak, struct arena *mem)
{
	struct curve half = row->curve;
	struct memtrend late;

	row->first = row->curve.n ? saturate_whole(row->curve.y[0]) : 0;
	row->last = row->curve.n ? saturate_whole(row->curve.y[row->curve.n - 1]) : 0;
	memtrend_of(&row->trend, &row->curve, peak, false, false, mem);
	row->sign = row->trend.sign;
	if (row->sign != MEMTREND_LEAK)
		return;
	if (snapstack_is_state(m, row->stack)) {
		row->sign = MEMTREND_STEADY;
		return;
	}
	half.x += half.n / 2;
	half.y += half.n / 2;
	half.n -= half.n / 2;
	memtrend_of(&late, &half, peak, false, false, mem);
	if (late.sign != MEMTREND_LEAK)
		row->sign = MEMTREND_STEADY; /* it filled up, and stays */
}

ORDER(by_growth, struct snapgrowth,
	compare3_down(a->sign == MEMTREND_LEAK, b->sign == MEMTREND_LEAK),
	compare3(saturate_sub(b->last, b->first), saturate_sub(a->last, a->first)),
	compare3(a->stack, b->stack))

void snapgrowths_init(struct snapgrowths *g, const struct snapreplay *r, const struct snapcurve *c,
	const struct snapheld *h, struct arena *mem)
{
	struct following v = { .r = r, .g = g };
	struct arena scratch = { 0 };

	*g = (struct snapgrowths){ 0 };
	if (r->n == 0)
		return;
	g->has_times = snapreplay_at(r, r->first) != MEMSNAP_UNKNOWN &&
		snapreplay_at(r, r->first + r->n - 1) > 0;
	v.row = arena_array(&scratch, r->m->stacks.n, sizeof(*v.row));
	choose(&v, h, mem);
	snapreplay_walk(r, follow_step, &v);
	sample(&v, r->first + r->n);
	for (size_t i = 0; i < g->n; i++)
		find_trend(&g->row[i], r->m, (double)c->peak.allocated, &scratch);
	arena_clear(&scratch);
	sort_rows(g->row, g->n, sizeof(*g->row), by_growth);
}
