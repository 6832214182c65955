/*
 * The walk over the op tree for callbacks known at run time only.
 */
#include "analyze/measure/host/optree_walk.h"

#include "base/search.h"

size_t optree_lane_end(const struct run *r, size_t place)
{
	const size_t *begin = r->order->host_begin;

	return begin[PARTITION_POINT(i, 1, r->lanes.n, begin[i] <= place)];
}

void optree_walk_places(const struct run *r, unsigned kinds, const struct devtime *dev,
	const struct optree_visitor *v, size_t from, size_t end)
{
	optree_walk_inlined(r, kinds, dev, v, from, end);
}

void optree_walk(const struct run *r, unsigned kinds, const struct devtime *dev,
	const struct optree_visitor *v)
{
	optree_walk_places(r, kinds, dev, v, 0, r->order->host_begin[r->lanes.n]);
}
