/* Digest of the phases of each step: what its thread does, by the self time of its calls. */
#include "analyze/job/digest/digest_gather.h"
#include "analyze/measure/host/optree.h"
#include "analyze/measure/phase.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/saturate.h"

struct sums {
	struct digest_view *v;
	struct phases phases;
	uint32_t step; /* of the last call asked for */
};

/* The thread of the steps; without steps, the one with most calls. */
static uint32_t main_lane(const struct run *r)
{
	const struct order *o = r->order;
	uint32_t lane;
	size_t best = 0;

	if (steps_lane(r, &lane))
		return lane;
	for (size_t i = 1; i < r->lanes.n; i++)
		if (o->host_begin[i + 1] - o->host_begin[i] >
			o->host_begin[best + 1] - o->host_begin[best])
			best = i;
	return (uint32_t)best;
}

static void enter(void *ctx, struct optree_node *path, size_t depth)
{
	struct sums *s = ctx;
	struct optree_node *node = &path[depth];
	enum phase caller = depth ? (enum phase)path[depth - 1].mark : PHASE_OTHER;

	node->mark = phases_of(&s->phases, node->name, (enum kind)node->kind, caller);
}

static void leave(void *ctx, struct optree_node *path, size_t depth, const struct optree_node *dup)
{
	struct sums *s = ctx;
	const struct run *r = s->v->run;
	const struct optree_node *node = &path[depth];

	(void)dup;
	if (!(KIND_BIT(node->kind) & s->v->view->kinds))
		return;
	s->step = steps_near(r->steps, r->events.start[node->row], s->step);
	uint32_t place = s->step == NO_ROW ? 0 : s->v->place[s->step];
	if (place)
		saturate_onto(&s->v->d->step[place - 1].phase[node->mark],
			saturate_sub(node->dur, node->child_ns));
}

/* What no call of a phase takes is other: phases add up to the step. */
static void put_other(struct digest *d)
{
	for (size_t i = 0; i < d->nstep; i++) {
		nsec rest = d->step[i].wall;

		for (int p = 0; p < PHASE_COUNT; p++)
			if (p != PHASE_OTHER)
				rest = saturate_sub(rest, d->step[i].phase[p]);
		d->step[i].phase[PHASE_OTHER] = rest;
	}
}

void digest_phases(struct digest_view *v)
{
	const struct run *r = v->run;
	struct sums s = { .v = v, .step = NO_ROW };
	const struct optree_visitor visitor = { .ctx = &s, .enter = enter, .leave = leave };
	uint32_t lane = main_lane(r);

	phases_init(&s.phases, r, &v->scratch);
	if (lane < r->lanes.n)
		optree_walk_places(r, optree_kinds(r), NULL, &visitor, r->order->host_begin[lane],
			r->order->host_begin[lane + 1]);
	put_other(v->d);
}
