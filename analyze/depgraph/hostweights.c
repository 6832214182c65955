/*
 * Host weights: one walk over each thread, beside its nodes.
 */
#include "analyze/depgraph/hostweights.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/saturate.h"
#include "base/zeroed.h"

nsec host_in_call(const struct depend *d, uint32_t node)
{
	const struct depend_node *n = &d->node[node];
	nsec from = d->run->events.start[n->row];

	if (n->from[EDGE_PREV] != NO_NODE && d->node[n->from[EDGE_PREV]].at > from)
		from = d->node[n->from[EDGE_PREV]].at;
	return from < n->at ? saturate_sub(n->at, from) : 0;
}

/* The nodes of all threads in order, each with the walk over its thread. */
struct weighing {
	struct depend *d;
	struct hosttime *walk; /* by lane; begun with the lane's first node */
	host_piece_fn *fn;
	host_scale_fn *scale;
	void *scale_ctx;
	size_t host; /* whose pieces are told */
	nsec (*group)[GROUP_COUNT];
	nsec *scaled;
	double lost;      /* of the node, by scaling */
	const double *by; /* what time is scaled by, by group */
};

static void weigh_node(struct weighing *w, uint32_t node)
{
	const struct depend_node *n = &w->d->node[node];
	struct hosttime *h = &w->walk[n->lane];
	nsec until = n->at;

	if (!h->run) {
		hosttime_init(h, w->d, n->lane, n->at);
		h->scale = w->scale;
		h->scale_ctx = w->scale_ctx;
	}
	w->host = n->host;
	if (n->from[EDGE_PREV] == NO_NODE ||
		(n->point == POINT_RESUME && n->binding == EDGE_CAUSE)) {
		hosttime_skip(h, n->at);
		return;
	}
	if (n->point == POINT_RETURN && n->binding == EDGE_CAUSE)
		until = saturate_sub(n->at, host_in_call(w->d, node));
	hosttime_go(h, until, w->fn, w);
	hosttime_skip(h, n->at);
}

static void weigh(struct weighing *w)
{
	size_t i;

	w->walk = zeroed(w->d->run->lanes.n, sizeof(*w->walk));
	for (i = 0; i < w->d->n; i++) {
		const struct depend_node *n = &w->d->node[i];

		if (depend_is_work(n))
			continue;
		w->lost = 0;
		weigh_node(w, (uint32_t)i);
		if (w->scaled)
			w->scaled[n->host] =
				saturate_sub(w->scaled[n->host], saturate_round(w->lost));
	}
	for (i = 0; i < w->d->run->lanes.n; i++)
		hosttime_clear(&w->walk[i]);
	free(w->walk);
}

static const enum host_group group_of[HOST_COUNT] = {
	[HOST_NOTHING] = GROUP_OTHER,
	[HOST_PYTHON] = GROUP_OTHER,
	[HOST_OP] = GROUP_OTHER,
	[HOST_RUNTIME] = GROUP_OTHER,
	[HOST_LAUNCH] = GROUP_LAUNCH,
	[HOST_SYNC] = GROUP_OTHER,
	[HOST_DATA] = GROUP_DATA,
};

static void add_group(void *ctx, const struct host_piece *p)
{
	struct weighing *w = ctx;

	saturate_onto(&w->group[w->host][group_of[p->cls]], saturate_sub(p->end, p->start));
}

static void add_scaled(void *ctx, const struct host_piece *p)
{
	struct weighing *w = ctx;
	nsec ns = saturate_sub(p->end, p->start);

	saturate_onto(&w->scaled[w->host], ns);
	w->lost += (1 - p->factor * w->by[group_of[p->cls]]) * (double)ns;
}

struct host_weights *host_weights_new(struct depend *d)
{
	struct host_weights *out = zeroed(1, sizeof(*out));
	struct weighing w = { .d = d, .fn = add_group };

	out->ns = zeroed(d->nhost, sizeof(*out->ns));
	w.group = out->ns;
	weigh(&w);
	return out;
}

void host_weights_free(struct host_weights *w)
{
	if (!w)
		return;
	free(w->ns);
	free(w);
}

nsec host_sum(const struct host_weights *w, uint32_t host)
{
	nsec sum = 0;
	int g;

	for (g = 0; g < GROUP_COUNT; g++)
		saturate_onto(&sum, w->ns[host][g]);
	return sum;
}

nsec *host_scaled_new(
	struct depend *d, host_scale_fn *scale, void *ctx, const double group[GROUP_COUNT])
{
	nsec *ns = zeroed(d->nhost, sizeof(*ns));
	struct weighing w = { .d = d,
		.fn = add_scaled,
		.scale = scale,
		.scale_ctx = ctx,
		.scaled = ns,
		.by = group };

	weigh(&w);
	return ns;
}
