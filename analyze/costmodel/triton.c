/*
 * Kernels that torch.compile wrote: triton_poi_fused_add_silu_3.  The name says which ops are
 * fused, each once, in the order of the alphabet; the last values how many elements there are, and
 * how many of them become one.
 *
 * Every tensor among the arguments is read or written once.  One that is read and written
 * (in_out_ptr) cannot be told from others, so bytes are at least those.
 *
 * Source: torch/_inductor/codegen/triton.py; FLOP an element: TraceLens,
 * triton_compiled_perf_model.
 */
#include "analyze/costmodel/formulas.h"
#include "base/saturate.h"

struct fused {
	const char *name;
	int flop;
};

/* Ops with names that are parts of others' come after them. */
static const struct fused fused[] = {
	{ "native_layer_norm_backward", 9 },
	{ "native_layer_norm", 5 },
	{ "_log_softmax_backward_data", 4 },
	{ "_softmax_backward_data", 4 },
	{ "_log_softmax", 3 },
	{ "_softmax", 3 },
	{ "constant_pad_nd", 0 },
	{ "moe_forward", 0 }, /* a kernel of its own, for which this one lays out what it takes */
	{ "_unsafe_view", 0 },
	{ "index_select", 0 },
	{ "index_put", 0 },
	{ "_to_copy", 0 },
	{ "masked_fill", 1 },
	{ "reciprocal", 2 },
	{ "new_zeros", 0 },
	{ "embedding", 0 },
	{ "transpose", 0 },
	{ "unsqueeze", 0 },
	{ "permute", 0 },
	{ "expand", 0 },
	{ "slice", 0 },
	{ "split", 0 },
	{ "clone", 0 },
	{ "copy", 0 },
	{ "view", 0 },
	{ "full", 0 },
	{ "stack", 0 },
	{ "select", 0 },
	{ "zeros", 0 },
	{ "cat", 0 },
	{ "sigmoid", 4 },
	{ "rsqrt", 2 },
	{ "sqrt", 2 },
	{ "silu", 4 },
	{ "gelu", 8 },
	{ "tanh", 4 },
	{ "relu", 1 },
	{ "mean", 1 },
	{ "pow", 2 },
	{ "exp", 4 },
	{ "log", 4 },
	{ "sum", 1 },
	{ "var", 2 },
	{ "abs", 1 },
	{ "neg", 1 },
	{ "add", 1 },
	{ "sub", 1 },
	{ "mul", 1 },
	{ "div", 1 },
	{ "cos", 1 },
	{ "sin", 1 },
	{ "amax", 1 },
	{ "clamp", 1 },
	{ "where", 1 },
	{ "ne", 1 },
	{ "eq", 1 },
	{ "lt", 1 },
	{ "gt", 1 },
	{ "le", 1 },
	{ "ge", 1 },
	{ "t", 0 },
};

/* The row of the op whose name s begins with, up to its end or a '_'. */
static const struct fused *fused_of(struct span s)
{
	for (size_t i = 0; i < COUNT_OF(fused); i++) {
		size_t n = strlen(fused[i].name);

		if (span_starts(s, fused[i].name) && (s.n == n || s.p[n] == '_'))
			return &fused[i];
	}
	return NULL;
}

/* FLOP an element: the sum over the ops in the name; -1 where there are others, or none. */
static int64_t flop_each(struct span s)
{
	int64_t flop = s.n > 0 ? 0 : -1;
	const struct fused *f;

	while (s.n > 0) {
		f = fused_of(s);
		if (!f)
			return -1;
		flop += f->flop;
		s.p += strlen(f->name);
		s.n -= strlen(f->name);
		if (s.n > 0) /* the '_' behind it */
			s.p++, s.n--;
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

void roof_triton(const struct roof_op *op, const struct roof_call *c, struct roof_work *w)
{
	int64_t n = elements_of(c, 1 + op->p[0]), bytes = 0;
	int64_t each = flop_each(ops_of(c->name, op->name));
	size_t tensors = 0;

	w->dtype = ROOF_DTYPE_COUNT;
	for (size_t i = 0; i < c->n; i++) {
		if (c->arg[i].kind != ROOF_ARG_TENSOR)
			continue;
		bytes = roof_plus(bytes, roof_arg_bytes(&c->arg[i]));
		if (tensors++ == 0)
			roof_set_dtype(w, c, (int)i);
	}
	if (tensors == 0) {
		roof_unknown(w, ROOF_WHY_MISFIT);
		return;
	}
	if (n < 0 || each < 0)
		w->why = each < 0 ? ROOF_WHY_NO_FORMULA : ROOF_WHY_NO_VALUES;
	else
		roof_set_flop(w, saturate_times(n, each));
	roof_set_bytes(w, bytes);
}
