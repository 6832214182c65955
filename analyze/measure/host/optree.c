/*
 * The CPU op tree: what is in it.
 */
#include "analyze/measure/host/optree.h"

#include "analyze/trace/links/calls.h"
#include "base/compiler.h"

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
