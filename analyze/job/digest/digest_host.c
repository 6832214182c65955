/* Digest of the host: calls by name with their self CPU time. */
#include "analyze/job/digest/digest_gather.h"
#include "analyze/measure/device/devtime.h"
#include "analyze/measure/host/optree.h"
#include "analyze/measure/phase.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/base.h"

struct host {
	struct digest_view *v;
	struct gather gather;
	uint32_t step;   /* of the last call asked for */
	uint8_t *hidden; /* by sym: 0 not asked, 1 no, 2 yes: torch has no row of it */
};

/* 1 + the place of the counted step that time lies in, or 0; neighbours usually share theirs. */
static uint32_t place_at(struct host *h, nsec t)
{
	h->step = steps_near(h->v->run->steps, t, h->step);
	return h->step == NO_ROW ? 0 : h->v->place[h->step];
}

static void enter(void *ctx, struct optree_node *path, size_t depth)
{
	struct host *h = ctx;
	struct optree_node *node = &path[depth];
	const struct events *ev = &h->v->run->events;

	node->tag = place_at(h, ev->start[node->row]);
}

/* torch's sums over all rows after its dedup: what is nested counts at each level. */
static void add_documents(
	struct host *h, const struct optree_node *node, const struct optree_node *dup)
{
	struct digest *d = h->v->d;
	uint8_t *hidden = &h->hidden[node->name];

	if (!*hidden)
		*hidden = optree_hides(strings_get(&h->v->run->strings, node->name)) ? 2 : 1;
	if (*hidden == 2)
		return;
	saturate_onto(&d->documents_cpu, node->dur);
	saturate_onto(&d->documents_cuda, node->device_ns);
	if (!dup)
		return;
	d->documents_cpu = saturate_sub(d->documents_cpu, dup->dur);
	d->documents_cuda = saturate_sub(d->documents_cuda, dup->device_ns);
}

/* Device work and annotations on the device are rows of their own there, too. */
static void add_device_rows(struct digest_view *v)
{
	const unsigned kinds = KINDS_DEVICE | KIND_BIT(KIND_GPU_ANNOTATION);
	const struct events *ev = &v->run->events;

	for (size_t i = 0; i < ev->n; i++)
		if (KIND_BIT(ev->kind[i]) & kinds)
			saturate_onto(&v->d->documents_cuda, ev->dur[i]);
}

static void leave(void *ctx, struct optree_node *path, size_t depth, const struct optree_node *dup)
{
	struct host *h = ctx;
	const struct optree_node *node = &path[depth];
	const struct events *ev = &h->v->run->events;
	const struct gather_item item = { .name = node->name,
		.kind = (enum kind)ev->kind[node->row],
		.start = ev->start[node->row],
		.ns = saturate_sub(node->dur, node->child_ns),
		.place = KIND_BIT(ev->kind[node->row]) & h->v->view->kinds ? node->tag : 0,
		.op_row = node->row };

	add_documents(h, node, dup);
	gather_add(&h->gather, &item);
}

void digest_host(struct digest_view *v)
{
	struct host h = { .v = v, .step = NO_ROW };
	const struct optree_visitor visitor = { .ctx = &h, .enter = enter, .leave = leave };
	struct devtime devtime;

	h.hidden = arena_array(&v->scratch, v->run->strings.n, sizeof(*h.hidden));
	devtime_init(&devtime, v->run, v->view);
	gather_init(&h.gather, v);
	optree_walk(v->run, optree_kinds(v->run), &devtime, &visitor);
	devtime_clear(&devtime);
	add_device_rows(v);
	gather_finish(&h.gather, &v->d->host);
}

/* Digest of the phases of each step: what its thread does, by the self time of its calls. */

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

static void enter_phase(void *ctx, struct optree_node *path, size_t depth)
{
	struct sums *s = ctx;
	struct optree_node *node = &path[depth];
	enum phase caller = depth ? (enum phase)path[depth - 1].mark : PHASE_OTHER;

	node->mark = phases_of(&s->phases, node->name, (enum kind)node->kind, caller);
}

static void leave_phase(
	void *ctx, struct optree_node *path, size_t depth, const struct optree_node *dup UNUSED)
{
	struct sums *s = ctx;
	const struct run *r = s->v->run;
	const struct optree_node *node = &path[depth];

	if (!(KIND_BIT(node->kind) & s->v->view->kinds))
		return;
	s->step = steps_near(r->steps, r->events.start[node->row], s->step);
	uint32_t place = s->step == NO_ROW ? 0 : s->v->place[s->step];
	if (place)
		saturate_onto(&s->v->d->step[place - 1].phase[node->mark],
			saturate_sub(node->dur, node->child_ns));
}

/* What no call of a phase takes is other: phases add up to the mark of the step, or to more where
 * calls lie between marks.  A step that is cut on the device may be shorter than its mark. */
static void put_other(struct digest_view *v)
{
	const struct steps *steps = v->run->steps;

	for (size_t at = 0; at < steps->n; at++) {
		if (!v->place[at])
			continue;
		nsec *phase = v->d->step[v->place[at] - 1].phase;
		nsec rest = saturate_sub(steps->step[at].host_end, steps->step[at].host_start);
		for (int p = 0; p < PHASE_COUNT; p++)
			if (p != PHASE_OTHER)
				rest = saturate_sub(rest, phase[p]);
		phase[PHASE_OTHER] = MAX(rest, 0);
	}
}

void digest_phases(struct digest_view *v)
{
	const struct run *r = v->run;
	struct sums s = { .v = v, .step = NO_ROW };
	const struct optree_visitor visitor = {
		.ctx = &s, .enter = enter_phase, .leave = leave_phase
	};
	uint32_t lane = main_lane(r);

	phases_init(&s.phases, r, &v->scratch);
	if (lane < r->lanes.n)
		optree_walk_places(r, optree_kinds(r), NULL, &visitor, r->order->host_begin[lane],
			r->order->host_begin[lane + 1]);
	put_other(v);
}
