/*
 * Lags, worked out from the times of nodes; kept where they fit.
 */
#include "analyze/depgraph/lags.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/minmax.h"
#include "base/saturate.h"
#include "base/zeroed.h"

/* ---- host weights: one walk over each thread, beside its nodes ---- */

/* How long a thread was in the waiting call of a return behind the node before it. */
static nsec host_in_call(const struct depend *d, uint32_t node)
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
		hosttime_init(h, w->d->run, &w->d->what, n->lane, n->at);
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
	w->walk = zeroed(w->d->run->lanes.n, sizeof(*w->walk));
	for (size_t i = 0; i < w->d->n; i++) {
		const struct depend_node *n = &w->d->node[i];

		if (depend_is_work(n))
			continue;
		w->lost = 0;
		weigh_node(w, (uint32_t)i);
		if (w->scaled)
			w->scaled[n->host] =
				saturate_sub(w->scaled[n->host], saturate_round(w->lost));
	}
	for (size_t i = 0; i < w->d->run->lanes.n; i++)
		hosttime_clear(&w->walk[i]);
	free(w->walk);
}

static const enum host_group group_of[HOST_COUNT] = {
	[HOST_NOTHING] = GROUP_NOTHING,
	[HOST_PYTHON] = GROUP_OTHER,
	[HOST_OP] = GROUP_OTHER,
	[HOST_RUNTIME] = GROUP_OTHER,
	[HOST_LAUNCH] = GROUP_LAUNCH,
	[HOST_SYNC] = GROUP_OTHER,
	[HOST_DATA] = GROUP_DATA,
};

static enum host_group group_of_piece(const struct depend *d, const struct host_piece *p)
{
	if (p->row != NO_ROW && p->cls != HOST_DATA && hostwhat_starts_up(&d->what, p->row))
		return GROUP_STARTUP;
	return group_of[p->cls];
}

static void add_group(void *ctx, const struct host_piece *p)
{
	struct weighing *w = ctx;

	saturate_onto(&w->group[w->host][group_of_piece(w->d, p)], saturate_sub(p->end, p->start));
}

static void add_scaled(void *ctx, const struct host_piece *p)
{
	struct weighing *w = ctx;
	nsec ns = saturate_sub(p->end, p->start);

	saturate_onto(&w->scaled[w->host], ns);
	w->lost += (1 - p->factor * w->by[group_of_piece(w->d, p)]) * (double)ns;
}

/* What threads did between nodes, by what can be changed at once; made once for all scenarios.
 * O(host calls); 40 bytes a node that is no work.  Freed by host_weights_free. */
static struct host_weights *host_weights_new(struct depend *d)
{
	struct host_weights *out = zeroed(1, sizeof(*out));
	struct weighing w = { .d = d, .fn = add_group };

	out->ns = zeroed(d->nhost, sizeof(*out->ns));
	w.group = out->ns;
	weigh(&w);
	return out;
}

static void host_weights_free(struct host_weights *w)
{
	if (!w)
		return;
	free(w->ns);
	free(w);
}

nsec host_sum(const struct host_weights *w, uint32_t host)
{
	nsec sum = 0;

	for (int g = 0; g < GROUP_COUNT; g++)
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

/* ---- lags ---- */

static nsec least(nsec a, nsec b)
{
	return MIN(a, b);
}

static nsec work_lag(const struct depend *d, const struct depend_node *n, enum edge e)
{
	nsec seen = saturate_sub(n->at, depend_fin(d, n->from[e]));

	if (n->binding == e)
		return seen;
	switch (e) {
	case EDGE_CAUSE: return least(seen, d->floor.launch);
	case EDGE_ENGINE: return least(seen, 0);
	default: return least(seen, d->floor.stream);
	}
}

nsec lag_in_call(const struct depend *d, uint32_t node)
{
	return least(host_in_call(d, node), d->floor.own);
}

/* Behind the node before it on its thread. */
static nsec host_lag(const struct lags *l, uint32_t node)
{
	const struct depend_node *n = &l->d->node[node];
	nsec sum = host_sum(l->host, n->host);

	return n->point == POINT_RETURN && n->binding == EDGE_CAUSE
		? saturate_add(sum, lag_in_call(l->d, node))
		: sum;
}

nsec lag_long(const struct lags *l, uint32_t node, enum edge e)
{
	const struct depend_node *n = &l->d->node[node];

	if (depend_is_work(n))
		return work_lag(l->d, n, e);
	if (e == EDGE_PREV)
		return host_lag(l, node);
	nsec seen = saturate_sub(n->at, depend_fin(l->d, n->from[e]));
	return n->binding == e ? seen : least(seen, l->d->floor.back);
}

void lags_init(struct lags *l, struct depend *d)
{
	*l = (struct lags){ .d = d, .host = host_weights_new(d) };
	l->ns = zeroed(d->n, sizeof(*l->ns));
	for (uint32_t i = 0; i < d->n; i++) {
		for (int e = 0; e < EDGE_COUNT; e++) {
			nsec ns = d->node[i].from[e] == NO_NODE ? 0 : lag_long(l, i, (enum edge)e);

			l->ns[i][e] = ns > INT32_MIN && ns <= INT32_MAX ? (int32_t)ns : INT32_MIN;
		}
	}
}

void lags_clear(struct lags *l)
{
	host_weights_free(l->host);
	free(l->ns);
}
