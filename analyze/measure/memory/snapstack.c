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

void snapstack_where(struct str *out, const struct memsnap *m, uint32_t stack)
{
	size_t n = memsnap_depth(m, stack), own = n, python = n;

	for (size_t i = 0; i < n && python == n; i++) {
		struct span file = strings_get(&m->names, memsnap_frame_at(m, stack, i).file);

		if (is_of_torch(file))
			continue;
		own = own == n ? i : own;
		python = is_python(file) ? i : python;
	}
	if (n)
		put_frame(out, m,
			memsnap_frame_at(m, stack,
				python < n        ? python
					: own < n ? own
						  : 0));
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
