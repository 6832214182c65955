/*
 * The walk over the op tree for callbacks known at run time only.
 */
#include "analyze/optree_walk.h"

void optree_walk_lanes(const struct run *r, unsigned kinds, const struct devtime *dev,
	const struct optree_visitor *v, size_t first, size_t end)
{
	optree_walk_inlined(r, kinds, dev, v, first, end);
}

void optree_walk(const struct run *r, unsigned kinds, const struct devtime *dev,
	const struct optree_visitor *v)
{
	optree_walk_lanes(r, kinds, dev, v, 0, r->lanes.n);
}
