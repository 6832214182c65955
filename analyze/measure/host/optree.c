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
