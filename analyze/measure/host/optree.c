/* The CPU op tree: what is in it. */
#include "analyze/measure/host/optree.h"

#include "analyze/trace/links/calls.h"

unsigned optree_kinds(const struct run *r)
{
	return calls_kinds(r);
}

bool optree_hides(struct span name)
{
	return span_in(name,
		"[memory]|[OutOfMemory]|profiler::_record_function_enter|"
		"profiler::_record_function_enter_new|profiler::_record_function_exit|"
		"aten::is_leaf|aten::output_nr|aten::_version");
}

/* ---- the walk over the op tree for callbacks known at run time only ---- */

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
