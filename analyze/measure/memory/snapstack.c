/* Stacks as text. */
#include "analyze/measure/memory/snapstack.h"

enum { TEXT_MOST = 16 << 10 };

static bool is_of_torch(struct span file)
{
	return span_has(file, "/torch/") || span_starts(file, "torch/") ||
		span_has(file, "/torch\\") || span_has(file, "/c10/") || span_has(file, "/aten/") ||
		span_is(file, "??") || file.n == 0 || span_has(file, "<frozen");
}

static bool is_python(struct span file)
{
	return file.n > 3 && span_is((struct span){ file.p + file.n - 3, 3 }, ".py");
}

static void put_frame(struct str *out, const struct memsnap *m, struct memsnap_frame f)
{
	struct span name = strings_get(&m->names, f.name), file = strings_get(&m->names, f.file);

	str_add(out, name.p, name.n);
	str_adds(out, " (");
	str_add(out, file.p, file.n);
	if (f.line >= 0)
		str_addf(out, ":%" PRId64, f.line);
	str_adds(out, ")");
}

/* Who records stacks, the allocator itself, and what makes a tensor of its memory. */
static bool is_plumbing(struct span name)
{
	return span_has_in(name,
		"gather|unwind|CapturedTraceback|Allocator|alloc|at::detail|empty|c10::|start_thread|clone");
}

/* "MmBackward0" of "torch::autograd::generated::MmBackward0::apply(...)"; empty: it is no node. */
static struct span node_of(struct span name)
{
	const char *apply = memmem(name.p, name.n, "::apply(", 8), *from;

	if (!apply || !span_has(name, "autograd::"))
		return SPAN("");
	for (from = apply; from > name.p && from[-1] != ':' && from[-1] != ' '; from--)
		;
	return (struct span){ from, (size_t)(apply - from) };
}

void snapstack_where(struct str *out, const struct memsnap *m, uint32_t stack)
{
	size_t n = memsnap_depth(m, stack), own = n, python = n, other = n;
	struct span node = { "", 0 };

	for (size_t i = 0; i < n && python == n; i++) {
		struct memsnap_frame f = memsnap_frame_at(m, stack, i);
		struct span file = strings_get(&m->names, f.file);
		struct span name = strings_get(&m->names, f.name);

		node = node.n ? node : node_of(name);
		if (is_plumbing(name) && !is_python(file))
			continue;
		other = other == n ? i : other;
		if (is_of_torch(file))
			continue;
		own = own == n ? i : own;
		python = is_python(file) ? i : python;
	}
	if (python == n && node.n) {
		str_add(out, node.p, node.n);
		str_adds(out, " (autograd)");
	} else if (n) {
		put_frame(out, m,
			memsnap_frame_at(m, stack,
				python < n          ? python
					: own < n   ? own
					: other < n ? other
						    : 0));
	}
}

bool snapstack_is_state(const struct memsnap *m, uint32_t stack)
{
	for (size_t i = 0; i < memsnap_depth(m, stack); i++) {
		struct memsnap_frame f = memsnap_frame_at(m, stack, i);

		if (span_has(strings_get(&m->names, f.name), "AccumulateGrad") ||
			span_has(strings_get(&m->names, f.file), "torch/optim/"))
			return true;
	}
	return false;
}

/* Frames have no semicolons, which stand between them. */
static void put_apart(struct str *out, const struct memsnap *m, struct memsnap_frame f)
{
	size_t from = out->n;

	put_frame(out, m, f);
	for (size_t i = from; i < out->n; i++)
		if (out->s[i] == ';')
			out->s[i] = ',';
}

void snapstack_text(struct str *out, const struct memsnap *m, uint32_t stack)
{
	size_t n = memsnap_depth(m, stack), most = 0, before = out->n;

	/* As many as fit from the innermost on, and those from the outermost of them. */
	for (; most < n && out->n - before < TEXT_MOST; most++)
		put_frame(out, m, memsnap_frame_at(m, stack, most));
	out->n = before;
	while (most-- > 0) {
		put_apart(out, m, memsnap_frame_at(m, stack, most));
		str_adds(out, most ? ";" : "");
	}
}
