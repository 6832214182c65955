/*
 * Digest of the host: calls by name with their self CPU time, and the phases of the step's thread,
 * which alone are there where no host is asked for.
 */
#include "analyze/job/digest_gather.h"
#include "analyze/measure/devtime.h"
#include "analyze/trace/filter.h"
#include "analyze/measure/optree_walk.h"
#include "analyze/trace/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/steps.h"
#include "base/saturate.h"

struct host {
	struct digest_view *v;
	struct gather gather;
	struct phases phases;
	uint32_t lane;   /* whose phases count */
	uint32_t step;   /* of the last call asked for */
	uint8_t *hidden; /* by sym: 0 not asked, 1 no, 2 yes: torch has no row of it */
};

/* The thread of the steps; without steps, the one with most calls. */
static uint32_t main_lane(const struct run *r)
{
	const struct order *o = r->order;
	size_t i, best = 0;

	if (r->steps->n > 0 && r->steps->step[0].lane != NO_ROW)
		return r->steps->step[0].lane;
	for (i = 1; i < r->lanes.n; i++)
		if (o->host_begin[i + 1] - o->host_begin[i] >
			o->host_begin[best + 1] - o->host_begin[best])
			best = i;
	return (uint32_t)best;
}

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
	enum phase caller = depth ? (enum phase)path[depth - 1].mark : PHASE_OTHER;

	node->mark = phases_of(&h->phases, node->name, (enum kind)ev->kind[node->row], caller);
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
	size_t i;

	for (i = 0; i < ev->n; i++)
		if (KIND_BIT(ev->kind[i]) & kinds)
			saturate_onto(&v->d->documents_cuda, ev->dur[i]);
}

/* A call's own time is of its phase, where it is one of the steps' thread in a counted step. */
static void add_phase(struct host *h, const struct optree_node *node)
{
	const struct events *ev = &h->v->run->events;

	if (node->tag && ev->lane[node->row] == h->lane &&
		KIND_BIT(ev->kind[node->row]) & h->v->view->kinds)
		saturate_onto(&h->v->d->step[node->tag - 1].phase[node->mark],
			saturate_sub(node->dur, node->child_ns));
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
	add_phase(h, node);
}

static void leave_of_phases(
	void *ctx, struct optree_node *path, size_t depth, const struct optree_node *dup)
{
	(void)dup;
	add_phase(ctx, &path[depth]);
}

/* What no call of a phase takes is other: phases add up to the step. */
static void put_other(struct digest *d)
{
	size_t i;
	int p;

	for (i = 0; i < d->nstep; i++) {
		nsec rest = d->step[i].wall;

		for (p = 0; p < PHASE_COUNT; p++)
			if (p != PHASE_OTHER)
				rest = saturate_sub(rest, d->step[i].phase[p]);
		d->step[i].phase[PHASE_OTHER] = rest;
	}
}

void digest_host(struct digest_view *v)
{
	struct host h = { .v = v, .lane = main_lane(v->run), .step = NO_ROW };
	const struct optree_visitor visitor = { .ctx = &h, .enter = enter, .leave = leave };
	struct devtime devtime;

	h.hidden = arena_array(&v->scratch, v->run->strings.n, sizeof(*h.hidden));
	devtime_init(&devtime, v->run, v->view);
	phases_init(&h.phases, v->run, &v->scratch);
	gather_init(&h.gather, v);
	optree_walk(v->run, optree_kinds(v->run), &devtime, &visitor);
	devtime_clear(&devtime);
	add_device_rows(v);
	gather_finish(&h.gather, &v->d->host);
	put_other(v->d);
}

void digest_phases(struct digest_view *v)
{
	const struct run *r = v->run;
	struct host h = { .v = v, .step = NO_ROW };
	const struct optree_visitor visitor = {
		.ctx = &h, .enter = enter, .leave = leave_of_phases
	};

	if (r->lanes.n > 0) {
		h.lane = main_lane(r);
		phases_init(&h.phases, r, &v->scratch);
		optree_walk_places(r, optree_kinds(r), NULL, &visitor, r->order->host_begin[h.lane],
			r->order->host_begin[h.lane + 1]);
	}
	put_other(v->d);
}
