/*
 * The CPU op tree: what is in it, and the walk over it for callbacks known at run time only.
 */
#include "analyze/measure/optree.h"

#include "analyze/measure/optree_walk.h"
#include "analyze/trace/calls.h"
#include "base/compiler.h"

unsigned optree_kinds(const struct run *r)
{
	return calls_kinds(r);
}

bool optree_hides(struct span name)
{
	static const char *const names[] = { "[memory]", "[OutOfMemory]",
		"profiler::_record_function_enter", "profiler::_record_function_enter_new",
		"profiler::_record_function_exit", "aten::is_leaf", "aten::output_nr",
		"aten::_version" };
	size_t i;

	for (i = 0; i < COUNT_OF(names); i++)
		if (span_is(name, names[i]))
			return true;
	return false;
}

size_t optree_lane_end(const struct run *r, size_t place)
{
	const size_t *begin = r->order->host_begin;
	size_t low = 0, high = r->lanes.n; /* begin[low] <= place < begin[high] */

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (begin[middle] <= place)
			low = middle;
		else
			high = middle;
	}
	return begin[high];
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
