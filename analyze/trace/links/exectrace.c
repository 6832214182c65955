/* Execution traces: memory, and the order of their nodes. */
#include "analyze/trace/links/exectrace.h"

#include "base/base.h"

void exectrace_init(struct exectrace *et)
{
	*et = (struct exectrace){ 0 };
	strings_init(&et->strings, 0);
}

void exectrace_clear(struct exectrace *et)
{
	FREE_ALL(et->node, et->use);
	strings_clear(&et->strings);
	*et = (struct exectrace){ 0 };
}

bool exectrace_is_in(const struct exectrace *et, uint32_t in, uint32_t around)
{
	while (in != ET_NONE && in > around)
		in = et->node[in].parent;
	return in == around;
}
