/*
 * Durations of the rows `top` shows, and their quantiles: a second pass over the events, CPU rows
 * beside device rows, then the shown groups one by one.
 */
#include "analyze/answer/top/top_quantiles.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/measure/host/optree_walk.h"
#include "analyze/stat/stats.h"
#include "analyze/trace/columns/order.h"
#include "base/parallel.h"
#include "base/xalloc.h"
#include "base/zeroed.h"

void top_samples_init(struct top_samples *s, const struct top_rank *r, struct top_groups *g)
{
	size_t i, n = 0;

	*s = (struct top_samples){ .n = r->shown };
	s->begin = zeroed(r->shown, sizeof(*s->begin));
	s->next = zeroed(r->shown, sizeof(*s->next));
	s->p50 = zeroed(r->shown, sizeof(*s->p50));
	s->p95 = zeroed(r->shown, sizeof(*s->p95));
	for (i = 0; i < r->shown; i++) {
		struct top_group *group = &g->g[r->place[i].group];

		group->slot = (uint32_t)i + 1;
		s->begin[i] = s->next[i] = n;
		s->p50[i] = s->p95[i] = NAN;
		n += group->calls;
	}
	s->v = xmalloc((n + 1) * sizeof(*s->v));
}

static inline void add_duration(struct top_samples *s, uint32_t slot, nsec dur)
{
	s->v[s->next[slot - 1]++] = dur;
}

/* A walk that samples by phase. */
struct sampling {
	struct top *t;
	struct top_samples *s;
};

static void sample_op_row(struct top *t, struct filter_view *view, struct top_samples *s,
	uint32_t row, uint32_t group)
{
	const struct events *ev = &t->at->run->events;

	if (group == TOP_NO_GROUP || !t->ops.g[group].slot || !filter_host(view, row) ||
		!filter_name(view, ev->name[row]) ||
		t->at->run->lanes.lane[ev->lane[row]].is_device)
		return;
	add_duration(s, t->ops.g[group].slot, ev->dur[row]);
}

static void sample_enter(void *ctx, struct optree_node *path, size_t depth)
{
	struct sampling *p = ctx;
	struct optree_node *node = &path[depth];

	node->mark = phases_of(&p->t->phases, node->name,
		(enum kind)p->t->at->run->events.kind[node->row],
		depth ? (enum phase)path[depth - 1].mark : PHASE_OTHER);
	sample_op_row(p->t, &p->t->at->view, p->s, node->row,
		top_groups_find(&p->t->ops, top_id(0, (enum phase)node->mark, 0)));
}

/*
 * By sym: the slot of the one shown group of that name, 0 where none is shown, or SLOT_ASK where
 * the group takes more than the name to find.
 */
struct quick {
	uint32_t slot;
	uint32_t kind;
};
#define SLOT_ASK UINT32_MAX

static const struct quick *quick_slots(struct top *t)
{
	size_t n = t->at->run->strings.n, i;
	struct quick *q = arena_array(&t->at->mem, n, sizeof(*q));

	for (i = 0; i < t->ops.n; i++) {
		const struct top_group *g = &t->ops.g[i];
		struct quick *at = &q[top_id_a(g->id)];

		if (!g->slot)
			continue;
		*at = (struct quick){ at->slot || t->by == TOP_BY_SHAPE ? SLOT_ASK : g->slot,
			(uint32_t)g->id.kind };
	}
	for (i = 0; i < n; i++)
		q[i] = q[t->canon[i]];
	return q;
}

static void sample_quickly(struct top *t, struct filter_view *view, struct top_samples *s)
{
	const struct events *ev = &t->at->run->events;
	const struct lane *lane = t->at->run->lanes.lane;
	const struct quick *quick = quick_slots(t);
	size_t i;

	for (i = 0; i < ev->n; i++) {
		struct quick q = quick[ev->name[i]];

		if (!q.slot || !(KIND_BIT(ev->kind[i]) & t->tree))
			continue;
		if (q.slot == SLOT_ASK)
			sample_op_row(t, view, s, (uint32_t)i, top_ops_find(t, (uint32_t)i));
		else if (q.kind == ev->kind[i] && filter_host(view, (uint32_t)i) &&
			!lane[ev->lane[i]].is_device)
			add_duration(s, q.slot, ev->dur[i]);
	}
}

/* In file order, which is faster than in the tree's where that does not matter. */
static void sample_ops(struct top *t, struct top_samples *s)
{
	struct filter_view view = t->at->view;
	struct sampling p = { t, s };
	struct optree_visitor v = { .ctx = &p, .enter = sample_enter };
	const struct events *ev = &t->at->run->events;
	size_t i;

	if (t->by == TOP_BY_PHASE)
		optree_walk(t->at->run, t->tree, NULL, &v);
	else if (t->by != TOP_BY_CATEGORY)
		sample_quickly(t, &view, s);
	else
		for (i = 0; i < ev->n; i++)
			if (KIND_BIT(ev->kind[i]) & t->tree)
				sample_op_row(
					t, &view, s, (uint32_t)i, top_ops_find(t, (uint32_t)i));
}

static void sample_device_row(struct top *t, struct top_samples *s, uint32_t row)
{
	const struct events *ev = &t->at->run->events;
	uint32_t at = top_device_find(t, row);

	if (at == TOP_NO_GROUP || !t->device.g[at].slot || !filter_device(&t->at->view, row) ||
		!filter_name(&t->at->view, ev->name[row]) ||
		!t->at->run->lanes.lane[ev->lane[row]].is_device)
		return;
	add_duration(s, t->device.g[at].slot, ev->dur[row]);
}

static void sample_device(struct top *t, struct top_samples *s)
{
	const struct order *o = t->at->run->order;
	size_t n = o->device_begin[t->at->run->lanes.n], i;

	for (i = 0; i < n; i++)
		sample_device_row(t, s, o->device[i]);
}

/*
 * Makes p50 and p95 of one slot of what was added; NaN when it is empty.  Slots know nothing of
 * each other.  The median, which people see nowhere, is left NaN without has_median.
 */
static void take_quantiles(struct top_samples *s, size_t slot, bool has_median)
{
	static const double q[] = { 0.95, 0.5 };
	size_t begin = s->begin[slot - 1];
	double x[2] = { NAN, NAN };

	stats_quantiles(s->v + begin, s->next[slot - 1] - begin, q, has_median ? 2 : 1, x);
	s->p95[slot - 1] = x[0];
	s->p50[slot - 1] = x[1];
}

static void clear_samples(struct top_samples *s)
{
	free(s->v);
	free(s->begin);
	free(s->next);
	free(s->p50);
	free(s->p95);
	*s = (struct top_samples){ 0 };
}

static void sample_job(void *ctx, size_t i)
{
	struct top *t = ctx;

	if (i == 0 && t->ops_shown)
		sample_ops(t, &t->ops_shown->samples);
	if (i == 1 && t->device_shown)
		sample_device(t, &t->device_shown->samples);
}

static void quantile_job(void *ctx, size_t i)
{
	struct top *t = ctx;
	size_t nops = t->ops_shown ? t->ops_shown->samples.n : 0;
	struct top_shown *s = i < nops ? t->ops_shown : t->device_shown;

	take_quantiles(&s->samples, i < nops ? i + 1 : i - nops + 1, !t->at->q->for_people);
}

void top_quantiles(struct top *t)
{
	size_t n = (t->ops_shown ? t->ops_shown->samples.n : 0) +
		(t->device_shown ? t->device_shown->samples.n : 0);

	if (t->at->q->no_quantiles)
		return;
	parallel_run(2, top_threads(t), sample_job, t);
	parallel_run(n, top_threads(t), quantile_job, t);
}

void top_quantiles_clear(struct top *t)
{
	if (t->ops_shown)
		clear_samples(&t->ops_shown->samples);
	if (t->device_shown)
		clear_samples(&t->device_shown->samples);
}
