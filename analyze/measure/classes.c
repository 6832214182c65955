/*
 * Classes of device work: by category, then by name.
 */
#include "analyze/measure/classes.h"

#include "analyze/trace/links.h"
#include "base/compiler.h"

static bool starts_nocase(struct span name, const char *word)
{
	size_t n = strlen(word);

	return name.n >= n && span_is_nocase((struct span){ name.p, n }, word);
}

/* Copies and sets that ROCm runs as kernels, and old spellings. */
static enum devclass class_of_name(struct span name)
{
	if (starts_nocase(name, "memcpy") || starts_nocase(name, "hipmemcpy") ||
		starts_nocase(name, "__amd_rocclr_copyBuffer"))
		return CLASS_MEMCPY;
	if (starts_nocase(name, "memset") || starts_nocase(name, "hipmemset") ||
		starts_nocase(name, "__amd_rocclr_fillBuffer"))
		return CLASS_MEMSET;
	return run_is_comm_name(name) ? CLASS_COMM : CLASS_COMPUTE;
}

/* c10d's ops contain copies of their own; only its innermost records are the collectives'. */
bool classes_is_comm_op(struct span name)
{
	return span_is(name, "record_param_comms") || starts_nocase(name, "nccl:") ||
		starts_nocase(name, "rccl:") || starts_nocase(name, "gloo:");
}

void classes_init(struct classes *c, const struct run *r, struct arena *mem)
{
	const struct strings *names = &r->strings;
	size_t i;

	*c = (struct classes){ .run = r };
	c->of_kernel = arena_array(mem, names->n, sizeof(*c->of_kernel));
	for (i = 0; i < names->n; i++) {
		struct span name = strings_get(names, (sym)i);

		c->of_kernel[i] = (uint8_t)class_of_name(name);
		if (!r->links || !classes_is_comm_op(name))
			continue;
		if (!c->is_comm_op)
			c->is_comm_op = arena_array(mem, names->n, sizeof(*c->is_comm_op));
		c->is_comm_op[i] = true;
	}
}

enum devclass classes_by_op(const struct classes *c, uint32_t row)
{
	const struct events *ev = &c->run->events;
	uint32_t op;

	if (ev->args[row] == NO_ARGS)
		return CLASS_COMPUTE;
	op = c->run->links->op[ev->args[row] - 1];
	return op != NO_ROW && c->is_comm_op[ev->name[op]] ? CLASS_COMM : CLASS_COMPUTE;
}

const char *classes_word(enum devclass k)
{
	static const char *const words[] = { "compute", "comm", "memcpy", "memset" };

	_Static_assert(COUNT_OF(words) == CLASS_COUNT, "one word for each class");
	return words[k];
}
