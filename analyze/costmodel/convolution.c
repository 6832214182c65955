/* Convolutions: each output is a product of the filter with a window of the input, 2 prod(w[1:]) an
 * element (w[1] is channels of a group); a transposed one does so for each element of its input.
 *
 * Source: torch/utils/flop_counter.py, conv_flop_count and conv_backward_flop. */
#include "analyze/costmodel/formulas.h"

#include "analyze/costmodel/outputs.h"
#include "base/base.h"

enum { SPACE_MAX = 6 };

/* Values of stride and the like: one for all dimensions or one each. */
static bool read_each(const struct roof_call *c, int arg, int space, int64_t *v)
{
	int n = roof_call_list(c, arg, v, SPACE_MAX);

	if (n == 1)
		for (int i = 1; i < space; i++)
			v[i] = v[0];
	return n == 1 || n == space;
}

/* The output's extent of one dimension; -1 where there is none. */
static int64_t extent(int64_t in, int64_t filter, int64_t stride, int64_t pad, int64_t dilation)
{
	int64_t covered = saturate_times(dilation, filter - 1);
	int64_t room = saturate_sub(saturate_add(in, saturate_times(2, pad)), covered);

	return stride > 0 && room > 0 ? (room - 1) / stride + 1 : -1;
}

static int64_t extent_transposed(
	int64_t in, int64_t filter, int64_t stride, int64_t pad, int64_t dilation, int64_t more)
{
	int64_t n = saturate_times(in - 1, stride);

	saturate_onto(&n, saturate_times(dilation, filter - 1));
	return saturate_sub(saturate_add(n, saturate_add(more, 1)), saturate_times(2, pad));
}

/* The shape of what is written; p[3]: stride, and padding and dilation behind it. */
static enum roof_reason output_of(const struct roof_op *op, const struct roof_call *c,
	const struct roof_shape *x, const struct roof_shape *f, bool is_transposed,
	struct roof_shape *out)
{
	int64_t v[4][SPACE_MAX] = { 0 }, groups = 1;
	int space = x->n - 2;

	if (space < 1 || space > SPACE_MAX || f->n != x->n)
		return ROOF_WHY_MISFIT;
	for (int i = 0; i < 3; i++)
		if (!read_each(c, op->p[3] + i, space, v[i]))
			return ROOF_WHY_NO_VALUES;
	if (is_transposed &&
		(!read_each(c, op->p[4] + 1, space, v[3]) || !roof_call_int(c, op->p[5], &groups)))
		return ROOF_WHY_NO_VALUES;
	out->n = x->n;
	out->has_strides = false;
	out->dim[0] = x->dim[0];
	out->dim[1] = is_transposed ? saturate_times(f->dim[1], groups) : f->dim[0];
	for (int i = 0; i < space; i++) {
		int64_t in = x->dim[2 + i], filter = f->dim[2 + i];

		out->dim[2 + i] = is_transposed
			? extent_transposed(in, filter, v[0][i], v[1][i], v[2][i], v[3][i])
			: extent(in, filter, v[0][i], v[1][i], v[2][i]);
		if (out->dim[2 + i] < 0)
			return ROOF_WHY_MISFIT;
	}
	return ROOF_WHY_KNOWN;
}

/* Operations of n products of the filter with a window. */
static int64_t products(int64_t n, const struct roof_shape *f)
{
	struct roof_shape window = *f;

	window.dim[0] = 1;
	window.has_strides = false;
	return roof_product(2, n, roof_elements(&window), 1);
}

/* roof_convolution of a call whose x and w are tensors, and whose result has that shape. */
static struct roof_work roof_convolution_to(
	const struct roof_op *op, const struct roof_call *c, const struct roof_shape *out)
{
	const struct roof_arg *x = roof_at(op, c, 0), *f = roof_at(op, c, 1),
			      *bias = roof_at(op, c, 2);
	bool is_transposed = false, adds = bias && bias->shape.n == 1;
	int64_t n = roof_elements(out);

	(void)roof_call_bool(c, op->p[4], &is_transposed);
	int64_t flop = products(is_transposed ? roof_elements(&x->shape) : n, &f->shape);
	int64_t bytes =
		ROOF_PLUS(roof_arg_bytes(x), roof_arg_bytes(f), roof_bytes_as(n, x->element));
	return roof_work_of(c, op->p[0], adds ? saturate_add(flop, n) : flop,
		adds ? ROOF_PLUS(bytes, roof_arg_bytes(bias)) : bytes);
}

struct roof_work roof_convolution(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *x = roof_at(op, c, 0), *f = roof_at(op, c, 1);
	struct roof_shape out;
	bool is_transposed = false;
	enum roof_reason why = ROOF_WHY_MISFIT;

	if (x && f && !roof_call_bool(c, op->p[4], &is_transposed))
		why = ROOF_WHY_NO_VALUES;
	else if (x && f)
		why = output_of(op, c, &x->shape, &f->shape, is_transposed, &out);
	return why == ROOF_WHY_KNOWN ? roof_convolution_to(op, c, &out) : roof_unknown(why);
}

/* Two convolutions more: dy with w gives dx, x with dy gives dw; each reads dy. */
struct roof_work roof_convolution_back(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *dy = roof_at(op, c, 0), *x = roof_at(op, c, 1),
			      *f = roof_at(op, c, 2);
	bool is_transposed = false;
	int64_t flop = 0, bytes = 0;

	if (!dy || !x || !f || x->shape.n < 3 || f->shape.n != x->shape.n)
		return roof_unknown(ROOF_WHY_MISFIT);
	if (!roof_call_bool(c, 7, &is_transposed) || !c->has_values)
		return roof_unknown(ROOF_WHY_NO_VALUES);
	int64_t n = roof_elements(&dy->shape);
	int64_t once = products(is_transposed ? roof_elements(&x->shape) : n, &f->shape);
	int64_t all = ROOF_PLUS(roof_arg_bytes(dy), roof_arg_bytes(f), roof_arg_bytes(x));
	if (roof_call_mask(c, op->p[3], 0))
		flop = once, bytes = all;
	if (roof_call_mask(c, op->p[3], 1))
		flop = saturate_add(flop, once), bytes = ROOF_PLUS(bytes, all);
	if (roof_call_mask(c, op->p[3], 2)) {
		saturate_onto(&flop, n);
		bytes = ROOF_PLUS(bytes, roof_bytes_as(dy->shape.dim[1], f->element));
	}
	return roof_work_of(c, op->p[0], flop, bytes);
}

/* One of the two alone: cuDNN's halves, as torch called them until 1.9. */
struct roof_work roof_convolution_half(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *dy = roof_at(op, c, 0), *x = roof_at(op, c, 1),
			      *f = roof_at(op, c, 2);

	if (!dy || !x || !f || f->shape.n < 3 || dy->shape.n != f->shape.n)
		return roof_unknown(ROOF_WHY_MISFIT);
	return roof_work_of(c, op->p[0], products(roof_elements(&dy->shape), &f->shape),
		ROOF_PLUS(roof_arg_bytes(dy), roof_arg_bytes(x), roof_arg_bytes(f)));
}

/* ---- sizes of convolutions by their backward ---- */

/* Input and filter of a convolution.  No padding: a key of a keymap. */
struct pair {
	int64_t dims, x[ROOF_DIMS_MAX], filter[ROOF_DIMS_MAX];
};

struct outputs {
	const struct keymap *keys;
	const struct strings *texts;
	struct keymap pairs;
	struct roof_shape *shape; /* by pair; n = -1: calls do not agree */
	size_t cap;
	struct arena mem; /* of one call */
};

static bool read_call(struct outputs *u, uint32_t cost, struct roof_call *c)
{
	const struct strings *texts = u->texts;
	const struct roof_key *k = keymap_key(u->keys, cost);

	arena_clear(&u->mem);
	return roof_call_read(c, strings_get(texts, k->dims), strings_get(texts, k->types),
		strings_get(texts, k->strides), strings_get(texts, k->values), &u->mem);
}

static bool pair_of(const struct roof_call *c, int x, int filter, struct pair *p)
{
	const struct roof_arg *a = roof_call_tensor(c, x), *f = roof_call_tensor(c, filter);

	if (!a || !f || a->shape.n < 3 || f->shape.n != a->shape.n)
		return false;
	*p = (struct pair){ .dims = a->shape.n };
	for (int i = 0; i < a->shape.n; i++) {
		p->x[i] = a->shape.dim[i];
		p->filter[i] = f->shape.dim[i];
	}
	return true;
}

static bool same_shape(const struct roof_shape *a, const struct roof_shape *b)
{
	return a->n == b->n && ALL(i, (size_t)a->n, a->dim[i] == b->dim[i]);
}

/* A backward call: the gradient it gets has the shape of what was written. */
static void learn(struct outputs *u, const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *dy = roof_at(op, c, 0);
	size_t before = u->pairs.n;
	struct pair p;

	if (!dy || !pair_of(c, op->p[1], op->p[2], &p))
		return;
	uint32_t at = keymap_add(&u->pairs, &p);
	if (u->pairs.n > before) {
		u->shape = array_grow(u->shape, &u->cap, u->pairs.n, sizeof(*u->shape));
		u->shape[at] = dy->shape;
	} else if (!same_shape(&u->shape[at], &dy->shape)) {
		u->shape[at].n = -1;
	}
}

static void complete(struct outputs *u, struct roof_cost *cost, const struct roof_call *c)
{
	const struct roof_op *op = cost->op;
	struct pair p;

	if (!pair_of(c, op->p[0], op->p[1], &p))
		return;
	uint32_t at = keymap_find(&u->pairs, &p);
	const struct roof_shape *out = at == KEYMAP_NONE ? NULL : &u->shape[at];
	/* A transposed one has its filters the other way round. */
	if (!out || out->n != p.dims || out->dim[1] != p.filter[0])
		return;
	cost->work = roof_convolution_to(op, c, out);
}

/* What its kernels do of the work. */
static void lessen(struct roof_cost *cost, const struct roof_call *c,
	const struct fastconv how[FASTCONV_HALVES])
{
	const struct roof_op *op = cost->op;
	int at = op->formula == roof_convolution ? 0 : 1;
	const struct roof_arg *x = roof_at(op, c, at), *f = roof_call_tensor(c, op->p[at + 1]);
	enum fastconv_half made = FASTCONV_OUTPUTS;

	if (op->formula == roof_convolution_back && roof_call_mask(c, op->p[3], 1))
		made = roof_call_mask(c, op->p[3], 0) ? FASTCONV_EITHER : FASTCONV_FILTER;
	else if (span_ends(span_of(op->names), "_weight"))
		made = FASTCONV_FILTER;
	if (x && f)
		fastconv_work(&cost->work, &x->shape, &f->shape, made, how);
}

void roof_outputs(struct roof_cost *cost, const struct keymap *keys, const struct strings *texts)
{
	struct outputs u = { .keys = keys, .texts = texts };
	struct roof_call call;

	keymap_init(&u.pairs, sizeof(struct pair));
	for (uint32_t i = 0; i < keys->n; i++)
		if (cost[i].op && cost[i].op->formula == roof_convolution_half &&
			read_call(&u, i, &call))
			learn(&u, cost[i].op, &call);
	for (uint32_t i = 0; i < keys->n && u.pairs.n > 0; i++)
		if (cost[i].op && cost[i].op->formula == roof_convolution &&
			cost[i].work.why == ROOF_WHY_NO_VALUES && read_call(&u, i, &call))
			complete(&u, &cost[i], &call);
	for (uint32_t i = 0; i < keys->n; i++) {
		const struct roof_key *k = keymap_key(keys, i);

		if ((k->fast[0].kind || k->fast[1].kind) && cost[i].op && read_call(&u, i, &call))
			lessen(&cost[i], &call, k->fast);
	}
	keymap_clear(&u.pairs);
	arena_clear(&u.mem);
	free(u.shape);
}
