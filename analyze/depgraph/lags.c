/*
 * Lags, worked out from the times of nodes; kept where they fit.
 */
#include "analyze/depgraph/lags.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "base/saturate.h"
#include "base/zeroed.h"

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
	nsec seen;

	if (depend_is_work(n))
		return work_lag(l->d, n, e);
	if (e == EDGE_PREV)
		return host_lag(l, node);
	seen = saturate_sub(n->at, depend_fin(l->d, n->from[e]));
	return n->binding == e ? seen : least(seen, l->d->floor.back);
}

void lags_init(struct lags *l, struct depend *d)
{
	uint32_t i;
	int e;

	*l = (struct lags){ .d = d, .host = host_weights_new(d) };
	l->ns = zeroed(d->n, sizeof(*l->ns));
	for (i = 0; i < d->n; i++) {
		for (e = 0; e < EDGE_COUNT; e++) {
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
