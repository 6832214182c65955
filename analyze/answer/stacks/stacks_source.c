/* `stacks`: what a run has of them, and what of it is asked for. */
#include "analyze/answer/stacks/stacks.h"
#include "analyze/measure/host/optree.h"

bool stacks_has(const struct run *r, enum stacks_source source)
{
	if (source == STACKS_PYTHON)
		return (r->args.needs & NEED_PYTHON) && r->kind_count[KIND_PYTHON] > 0;
	return source == STACKS_OPS || args_any_text(&r->args, ARG_OP_STACK);
}

enum stacks_source stacks_best(const struct run *r)
{
	if (stacks_has(r, STACKS_PYTHON))
		return STACKS_PYTHON;
	return stacks_has(r, STACKS_CALLSTACK) ? STACKS_CALLSTACK : STACKS_OPS;
}

bool stacks_are_filtered(const struct stacks *s)
{
	return s->at->set->match || s->at->set->exclude;
}

unsigned stacks_kinds(const void *opts, const struct run *r)
{
	const struct stacks_options *o = opts;
	bool is_device = o->metric && strcmp(o->metric, "device") == 0;
	bool is_cpu = o->metric && strcmp(o->metric, "cpu") == 0;
	unsigned kinds = 0;

	if ((o->source && strcmp(o->source, "samples") == 0))
		return 0;
	if (!is_device)
		kinds |= optree_kinds(r);
	if (!is_device && (!o->source || strcmp(o->source, "ops") != 0))
		kinds |= KIND_BIT(KIND_PYTHON);
	return is_cpu ? kinds : kinds | KINDS_DEVICE;
}
