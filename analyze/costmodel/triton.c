/* Kernels that torch.compile wrote: triton_poi_fused_add_silu_3.  The name says which ops are
 * fused, each once, in the order of the alphabet; the last values how many elements there are, and
 * how many of them become one.
 *
 * Every tensor among the arguments is read or written once.  One that is read and written
 * (in_out_ptr) cannot be told from others, so bytes are at least those.
 *
 * Source: torch/_inductor/codegen/triton.py; FLOP an element: TraceLens,
 * triton_compiled_perf_model. */
#include "analyze/costmodel/formulas.h"
#include "base/base.h"

/* FLOP of ops an element.  Of names that begin alike the longest counts.  moe_forward is a kernel
 * of its own, for which this one lays out what it takes. */
static const struct {
	int flop;
	const char *names;
} fused[] = {
	{ 9, "native_layer_norm_backward" },
	{ 8, "gelu" },
	{ 5, "native_layer_norm" },
	{ 4, "_log_softmax_backward_data|_softmax_backward_data|sigmoid|silu|tanh|exp|log" },
	{ 3, "_log_softmax|_softmax" },
	{ 2, "reciprocal|rsqrt|sqrt|pow|var" },
	{ 1,
		"masked_fill|relu|mean|sum|abs|neg|add|sub|mul|div|cos|sin|amax|clamp|where|ne|"
		"eq|lt|gt|le|ge" },
	{ 0,
		"constant_pad_nd|moe_forward|_unsafe_view|index_select|index_put|_to_copy|"
		"new_zeros|embedding|transpose|unsqueeze|permute|expand|slice|split|clone|copy|"
		"view|full|stack|select|zeros|cat|t" },
};

/* FLOP of the op whose name s begins with, up to its end or a '_', and its letters; -1: none. */
static int fused_of(struct span s, size_t *n)
{
	int flop = -1;
	struct span name;

	*n = 0;
	for (size_t i = 0; i < COUNT_OF(fused); i++)
		for (const char *names = fused[i].names; span_words(&names, &name);)
			if (name.n > *n && s.n >= name.n && memcmp(s.p, name.p, name.n) == 0 &&
				(s.n == name.n || s.p[name.n] == '_')) {
				*n = name.n;
				flop = fused[i].flop;
			}
	return flop;
}

/* FLOP an element: the sum over the ops in the name; -1 where there are others, or none. */
static int64_t flop_each(struct span s)
{
	int64_t flop = s.n > 0 ? 0 : -1;
	size_t n;

	while (s.n > 0) {
		int one = fused_of(s, &n);

		if (one < 0)
			return -1;
		flop += one;
		n += n < s.n; /* the '_' behind it */
		s.p += n;
		s.n -= n;
	}
	return flop;
}

/* "add_silu" of "triton_poi_fused_add_silu_3". */
static struct span ops_of(struct span name, const char *prefix)
{
	size_t n = strlen(prefix) - 1; /* the '*' at its end */
	struct span s = { name.p + n, name.n - n };

	while (s.n > 0 && s.p[s.n - 1] >= '0' && s.p[s.n - 1] <= '9')
		s.n--;
	return s;
}

/* The numbers at the end of the values, multiplied: elements; a reduction's are two. */
static int64_t elements_of(const struct roof_call *c, int numbers)
{
	int64_t n = 1, v;
	size_t i = c->n;

	for (; i > 0 && numbers > 0; i--) {
		if (!roof_call_int(c, (int)i - 1, &v))
			continue;
		n = v >= 0 ? saturate_times(n, v) : ROOF_MANY;
		numbers--;
	}
	return numbers > 0 ? -1 : n;
}

struct roof_work roof_triton(const struct roof_op *op, const struct roof_call *c)
{
	int64_t n = elements_of(c, 1 + op->p[0]), bytes = 0;
	int64_t each = flop_each(ops_of(c->name, op->names));
	const struct roof_arg *first = NULL;

	for (size_t i = 0; i < c->n; i++) {
		if (c->arg[i].kind != ROOF_ARG_TENSOR)
			continue;
		bytes = ROOF_PLUS(bytes, roof_arg_bytes(&c->arg[i]));
		first = first ? first : &c->arg[i];
	}
	if (!first)
		return roof_unknown(ROOF_WHY_MISFIT);
	bool is_known = n >= 0 && each >= 0;
	struct roof_work w =
		roof_work_as(first->element, is_known ? saturate_times(n, each) : -1, bytes);
	if (!is_known)
		w.why = each < 0 ? ROOF_WHY_NO_FORMULA : ROOF_WHY_NO_VALUES;
	return w;
}
