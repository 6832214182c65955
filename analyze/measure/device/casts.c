/*
 * Casts: by the kernel's name, else by its op.
 */
#include "analyze/measure/device/casts.h"

#include "analyze/measure/device/copyclass.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run.h"
#include "base/compiler.h"

/* Ops that launch a copying kernel only to convert. */
static const char *const cast_ops[] = { "aten::_to_copy", "aten::to", "aten::type_as" };

void casts_init(struct casts *c, const struct run *r, struct arena *mem)
{
	c->run = r;
	c->of_name = arena_array(mem, r->strings.n, sizeof(*c->of_name));
}

static bool is_by_op(const struct run *r, uint32_t row)
{
	uint32_t side = r->events.args[row];
	uint32_t op = side == NO_ARGS ? NO_ROW : r->links->op[side - 1];
	size_t i;

	for (i = 0; op != NO_ROW && i < COUNT_OF(cast_ops); i++)
		if (span_is(run_name(r, op), cast_ops[i]))
			return true;
	return false;
}

bool casts_is(struct casts *c, uint32_t row)
{
	uint8_t *of = &c->of_name[c->run->events.name[row]];

	if (*of == 0)
		*of = (uint8_t)(1 + copyclass_of_kernel(run_name(c->run, row)));
	return *of == 1 + COPY_KERNEL_CAST ||
		(*of == 1 + COPY_KERNEL_UNCLEAR && is_by_op(c->run, row));
}
