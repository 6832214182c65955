/* Matrix products: 2 M N K a product, M N more where something is added; A, B and what is added are
 * read once, the result is written once. */
#include "analyze/costmodel/formulas.h"
#include "base/base.h"

struct product {
	int64_t batch, m, n, k;
};

static bool product_of(
	const struct roof_shape *a, const struct roof_shape *b, int layout, struct product *p)
{
	bool is_nk = layout != ROOF_KN;
	int64_t wide = layout == ROOF_NK_FP4 || layout == ROOF_NK_A16 ? 2 : 1;

	if (a->n < 1 || b->n < 1 || b->n > 3 || (b->n == 3 && a->n != 3))
		return false;
	p->k = saturate_times(a->dim[a->n - 1], layout == ROOF_NK_FP4 ? 2 : 1);
	int64_t k = saturate_times(b->dim[b->n == 1 || is_nk ? b->n - 1 : b->n - 2], wide);
	p->n = b->n == 1 ? 1 : b->dim[is_nk ? b->n - 2 : b->n - 1];
	p->batch = b->n == 3 ? b->dim[0] : 1;
	if (k != p->k || (b->n == 3 && a->dim[0] != p->batch))
		return false;
	if (b->n == 3)
		p->m = a->dim[1];
	else
		p->m = a->dim[a->n - 1] ? roof_elements(a) / a->dim[a->n - 1] : 0;
	return true;
}

static bool is_zero(const struct roof_call *c, int arg)
{
	struct span s = (size_t)arg < c->n ? c->arg[arg].value : (struct span){ "", 0 };

	return span_in(s, "0|0.|0.0");
}

/* Whether something is added: the bias is there, and not left out by beta = 0. */
static bool adds(const struct roof_op *op, const struct roof_call *c)
{
	return roof_at(op, c, 2) && !(op->p[2] == 0 && is_zero(c, 3));
}

/* The result's bytes: of a tensor for it, or of the type that a value says, or of A's. */
static int64_t result_bytes(
	const struct roof_op *op, const struct roof_call *c, const struct product *p)
{
	const struct roof_arg *out = roof_at(op, c, 4);
	const struct roof_element *e = c->arg[op->p[0]].element;
	int64_t n = roof_product(p->batch, p->m, p->n, 1), scalar;

	if (op->p[3] & ROOF_TO_INT32)
		e = roof_element_of(SPAN("int"));
	else if (out)
		e = out->element;
	else if (roof_call_int(c, op->p[5], &scalar))
		e = roof_element_of_scalar(scalar);
	else if (op->p[5] >= 0 && !c->has_values)
		e = NULL;
	return roof_bytes_as(n, e);
}

/* Of all tensors that are neither A, B, bias nor the result. */
static int64_t scale_bytes(const struct roof_op *op, const struct roof_call *c)
{
	int64_t n = 0;

	for (int i = 0; i < (int)c->n; i++)
		if (i != op->p[0] && i != op->p[1] && i != op->p[2] && i != op->p[4])
			n = ROOF_PLUS(n, roof_bytes_of(c, i));
	return n;
}

struct roof_work roof_matmul(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *a = roof_at(op, c, 0), *b = roof_at(op, c, 1);
	int layout = op->p[3] & ~(ROOF_SCALES | ROOF_TO_INT32);
	struct product p;

	if (!a || !b || !product_of(&a->shape, &b->shape, layout, &p))
		return roof_unknown(ROOF_WHY_MISFIT);
	int64_t flop = roof_product(saturate_times(2, p.batch), p.m, p.n, p.k);
	int64_t bytes = ROOF_PLUS(roof_arg_bytes(a), roof_arg_bytes(b), result_bytes(op, c, &p));
	if (adds(op, c)) {
		flop = saturate_add(flop, roof_product(p.batch, p.m, p.n, 1));
		bytes = ROOF_PLUS(bytes, roof_bytes_of(c, op->p[2]));
	}
	if (op->p[3] & ROOF_SCALES)
		bytes = ROOF_PLUS(bytes, scale_bytes(op, c));
	struct roof_work w = roof_work_of(c, op->p[0], flop, bytes);
	if (layout == ROOF_NK_FP4)
		w.dtype = ROOF_FP4;
	return w;
}

/* te_gemm_ts(A, 3 of its scaling, transa, B, 3, transb, D, 3, bias, ...), column-major as cuBLAS.
 * Source: TransformerEngine, pytorch/csrc/ts_fp8_op.cpp. */
enum { TE_A = 0, TE_TRANS_A = 4, TE_B = 5, TE_TRANS_B = 9, TE_D = 10, TE_BIAS = 14 };

struct roof_work roof_te_gemm(const struct roof_op *op UNUSED, const struct roof_call *c)
{
	const struct roof_arg *a = roof_call_tensor(c, TE_A), *b = roof_call_tensor(c, TE_B);
	bool trans_a, trans_b;

	if (!a || !b || a->shape.n != 2 || b->shape.n != 2)
		return roof_unknown(ROOF_WHY_MISFIT);
	if (!roof_call_bool(c, TE_TRANS_A, &trans_a) || !roof_call_bool(c, TE_TRANS_B, &trans_b))
		return roof_unknown(ROOF_WHY_NO_VALUES);
	int64_t m = a->shape.dim[trans_a ? 0 : 1];
	int64_t k = a->shape.dim[trans_a ? 1 : 0];
	int64_t n = b->shape.dim[trans_b ? 1 : 0];
	int64_t flop = roof_product(2, m, n, k);
	if (roof_call_tensor(c, TE_BIAS) && roof_bytes_of(c, TE_BIAS) > 0)
		saturate_onto(&flop, roof_product(m, n, 1, 1));
	return roof_work_of(c, TE_A, flop,
		ROOF_PLUS(roof_arg_bytes(a), roof_arg_bytes(b), roof_bytes_of(c, TE_D),
			roof_bytes_of(c, TE_BIAS)));
}

/* Rows of A, in groups, each times its group's matrix: M x K by G x K x N (or G x N x K).  Where B
 * is no more than a matrix the groups cut K, and each gives a matrix of its own. */
static bool grouped_of(const struct roof_call *c, const struct roof_arg *a,
	const struct roof_arg *b, struct product *p)
{
	const struct roof_shape *x = &a->shape, *y = &b->shape;

	if (x->n == 2 && y->n == 3) {
		p->m = x->dim[0], p->k = x->dim[1], p->batch = 1;
		p->n = y->dim[1] == p->k ? y->dim[2] : y->dim[1];
		return y->dim[1] == p->k || y->dim[2] == p->k;
	}
	if (x->n == 2 && y->n == 2 && roof_call_tensor(c, 2)) {
		p->m = x->dim[0], p->k = x->dim[1], p->n = y->dim[1];
		p->batch = roof_elements(&c->arg[2].shape);
		return y->dim[0] == p->k;
	}
	return x->n == 3 && y->n == 3 && product_of(x, y, ROOF_KN, p);
}

struct roof_work roof_grouped(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *a = roof_at(op, c, 0), *b = roof_at(op, c, 1);
	struct product p;
	int64_t scalar;

	if (!a || !b || !grouped_of(c, a, b, &p))
		return roof_unknown(ROOF_WHY_MISFIT);
	const struct roof_element *e =
		roof_call_int(c, op->p[3], &scalar) ? roof_element_of_scalar(scalar) : a->element;
	int64_t out = roof_bytes_as(roof_product(p.batch, p.m, p.n, 1), e);
	/* Where groups cut K, one product is as large as all of them. */
	return roof_work_of(c, op->p[0],
		roof_product(saturate_times(2, b->shape.n == 2 ? 1 : p.batch), p.m, p.n, p.k),
		ROOF_PLUS(roof_arg_bytes(a), roof_arg_bytes(b), out, roof_bytes_of(c, op->p[2])));
}

/* T tokens of width H through k of E experts of width I each. */
struct experts {
	int64_t tokens, width, n, inner, k;
	bool is_gated;
};

static bool experts_of(const struct roof_op *op, const struct roof_call *c, struct experts *x)
{
	const struct roof_arg *in = roof_at(op, c, 0), *up = roof_at(op, c, 1),
			      *down = roof_at(op, c, 2);
	const struct roof_arg *routing = op->p[5] ? NULL : roof_at(op, c, 3);

	if (!in || !up || !down || in->shape.n != 2 || up->shape.n != 3 || down->shape.n != 3)
		return false;
	x->tokens = in->shape.dim[0], x->width = in->shape.dim[1];
	x->n = up->shape.dim[0], x->inner = down->shape.dim[2];
	if (op->p[5] ? !roof_call_int(c, op->p[3], &x->k) : !routing || routing->shape.n != 2)
		return false;
	if (routing)
		x->k = routing->shape.dim[1];
	x->is_gated = up->shape.dim[1] == saturate_times(2, x->inner);
	return (x->is_gated || up->shape.dim[1] == x->inner) && up->shape.dim[2] == x->width &&
		down->shape.dim[1] == x->width && down->shape.dim[0] == x->n && x->k > 0 &&
		x->n > 0;
}

/* Both products of each chosen expert, and the sum of what they give.  Weights are read of as many
 * experts as the tokens can choose, min(E, T k): which they chose is not in the trace. */
struct roof_work roof_experts(const struct roof_op *op, const struct roof_call *c)
{
	struct experts x;

	if (!experts_of(op, c, &x))
		return roof_unknown(ROOF_WHY_MISFIT);
	int64_t flop = roof_product(
		roof_product(2, x.tokens, x.k, x.is_gated ? 3 : 2), x.width, x.inner, 1);
	saturate_onto(&flop, roof_product(x.tokens, x.width, saturate_times(2, x.k) - 1, 1));
	int64_t met = saturate_times(x.tokens, x.k);
	met = MIN(met, x.n);
	int64_t weights = ROOF_PLUS(roof_bytes_of(c, op->p[1]), roof_bytes_of(c, op->p[2]));
	if (weights > 0 && weights != ROOF_MANY)
		weights = roof_product(weights / x.n, met, 1, 1);
	int64_t io = roof_bytes_of(c, op->p[0]);
	io = ROOF_PLUS(io, op->p[4] >= 0 ? roof_bytes_of(c, op->p[4]) : io);
	return roof_work_of(c, op->p[1], flop, ROOF_PLUS(weights, io));
}
