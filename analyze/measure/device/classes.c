/* Classes of device work: by category, then by name. */
#include "analyze/measure/device/classes.h"

#include "analyze/trace/commname.h"
#include "analyze/trace/links/links.h"

static bool starts_nocase(struct span name, const char *word)
{
	size_t n = strlen(word);

	return name.n >= n && span_is_nocase((struct span){ name.p, n }, word);
}

/* Copies and sets that ROCm runs as kernels, and old spellings. */
static uint8_t class_of_name(struct span name)
{
	if (starts_nocase(name, "memcpy") || starts_nocase(name, "hipmemcpy") ||
		starts_nocase(name, "__amd_rocclr_copyBuffer"))
		return CLASS_MEMCPY;
	if (starts_nocase(name, "memset") || starts_nocase(name, "hipmemset") ||
		starts_nocase(name, "__amd_rocclr_fillBuffer"))
		return CLASS_MEMSET;
	switch (commname_of(name)) {
	case COMMNAME_COMM: return CLASS_COMM;
	case COMMNAME_COMPUTE: return CLASS_COMPUTE;
	default: return CLASSES_BY_OP;
	}
}

/* Whether any op communicates; which ones, where so. */
static void find_ops(struct classes *c, struct arena *mem)
{
	const struct strings *names = &c->run->strings;

	for (size_t i = 0; c->run->links && i < names->n; i++) {
		if (!commname_is_op(strings_get(names, (sym)i)))
			continue;
		if (!c->is_comm_op)
			c->is_comm_op = arena_array(mem, names->n, sizeof(*c->is_comm_op));
		c->is_comm_op[i] = true;
	}
}

void classes_init(struct classes *c, const struct run *r, struct arena *mem)
{
	const struct events *ev = &r->events;
	enum { NOT_ASKED = CLASSES_BY_OP + 1 };

	*c = (struct classes){ .run = r };
	find_ops(c, mem);
	c->of_kernel = arena_alloc(mem, r->strings.n);
	memset(c->of_kernel, NOT_ASKED, r->strings.n);
	for (size_t i = 0; i < ev->n; i++) {
		sym name = ev->name[i];

		if (ev->kind[i] != KIND_KERNEL || LIKELY(c->of_kernel[name] != NOT_ASKED))
			continue;
		c->of_kernel[name] = class_of_name(strings_get(&r->strings, name));
		if (r->comm_chosen && r->comm_chosen[name])
			c->of_kernel[name] = CLASS_COMM;
		if (c->of_kernel[name] == CLASSES_BY_OP && !c->is_comm_op)
			c->of_kernel[name] = CLASS_COMPUTE;
	}
}

enum devclass classes_by_op(const struct classes *c, uint32_t row)
{
	const struct events *ev = &c->run->events;

	if (ev->args[row] == NO_ARGS)
		return CLASS_COMPUTE;
	uint32_t op = c->run->links->op[ev->args[row] - 1];
	return op != NO_ROW && c->is_comm_op[ev->name[op]] ? CLASS_COMM : CLASS_COMPUTE;
}

bool classes_may_be_comm(const struct classes *c, sym kernel)
{
	return c->of_kernel[kernel] == CLASS_COMM || c->of_kernel[kernel] == CLASSES_BY_OP;
}

const char *classes_word(enum devclass k)
{
	static const char *const words[] = { "compute", "comm", "memcpy", "memset" };

	_Static_assert(COUNT_OF(words) == CLASS_COUNT, "one word for each class");
	return words[k];
}
