/* Ops on each element: an operation an element, or what the row says; what is read broadcast is
 * read once.
 *
 * Source: TraceLens, UnaryElementwise and BinaryElementwise, and the ops' signatures in
 * aten/src/ATen/native/native_functions.yaml. */
#include "analyze/costmodel/formulas.h"
#include "base/base.h"

enum { INPUTS = 3, FLOP_EACH = 3, RESULT = 4 }; /* of the parameters */

/* What both are broadcast to; false: they are not of that kind. */
static bool broadcast(struct roof_shape *to, const struct roof_shape *s)
{
	int n = MAX(to->n, s->n);

	for (int i = 0; i < n; i++) { /* from the last dimension */
		int64_t a = i < to->n ? to->dim[to->n - 1 - i] : 1;
		int64_t b = i < s->n ? s->dim[s->n - 1 - i] : 1;

		if (a != b && a != 1 && b != 1)
			return false;
	}
	for (int i = n - 1; i >= 0; i--) {
		int64_t a = i >= n - to->n ? to->dim[i - (n - to->n)] : 1;
		int64_t b = i >= n - s->n ? s->dim[i - (n - s->n)] : 1;

		to->dim[i] = a == 1 ? b : a;
	}
	to->n = n;
	return true;
}

/* The type of an input; of a number, what it makes of others. */
static const struct roof_element *element_of(const struct roof_call *c, int arg, bool *is_number)
{
	const struct roof_arg *a = &c->arg[arg];

	*is_number = a->kind == ROOF_ARG_SCALAR || a->shape.n == 0;
	if (a->kind == ROOF_ARG_TENSOR)
		return a->element;
	for (size_t i = 0; i < a->value.n; i++)
		if (a->value.p[i] == '.' || a->value.p[i] == 'e' || a->value.p[i] == 'n')
			return roof_element_of(SPAN("double"));
	return roof_element_of(SPAN("long int"));
}

static bool is_input(const struct roof_call *c, int arg)
{
	return arg >= 0 && (size_t)arg < c->n &&
		(c->arg[arg].kind == ROOF_ARG_TENSOR || c->arg[arg].kind == ROOF_ARG_SCALAR);
}

/* The type of inputs p[from..2] together. */
static const struct roof_element *promoted(
	const struct roof_op *op, const struct roof_call *c, int from)
{
	const struct roof_element *all = NULL, *e;
	bool is_number = true, one_is;

	for (int i = from; i < INPUTS; i++) {
		if (!is_input(c, op->p[i]))
			continue;
		e = element_of(c, op->p[i], &one_is);
		if (!e)
			return NULL;
		all = all ? roof_element_both(all, is_number, e, one_is) : e;
		is_number = is_number && one_is;
	}
	return all;
}

static const struct roof_element *at_least(
	const struct roof_element *e, enum roof_kind kind, const char *word)
{
	return e && e->kind < kind ? roof_element_of(span_of(word)) : e;
}

const struct roof_element *roof_result_of(
	const struct roof_op *op, const struct roof_call *c, enum roof_result rule)
{
	const struct roof_element *first =
		op->p[0] >= 0 && (size_t)op->p[0] < c->n ? c->arg[op->p[0]].element : NULL;

	switch (rule) {
	case ROOF_FIRST: return first;
	case ROOF_TRUTH: return roof_element_of(SPAN("bool"));
	case ROOF_INDEX: return roof_element_of(SPAN("long int"));
	case ROOF_REAL: return at_least(promoted(op, c, 0), ROOF_KIND_FLOAT, "float");
	case ROOF_CHOSEN: return promoted(op, c, 1);
	case ROOF_WIDENED:
		return first && first->kind < ROOF_KIND_FLOAT ? roof_element_of(SPAN("long int"))
							      : first;
	case ROOF_PROMOTED: break;
	}
	return promoted(op, c, 0);
}

/* "aten::add_" writes into its first argument. */
static bool is_in_place(const struct roof_call *c)
{
	return c->name.n > 1 && c->name.p[c->name.n - 1] == '_';
}

struct roof_work roof_pointwise(const struct roof_op *op, const struct roof_call *c)
{
	struct roof_shape out = { .n = 0 };
	int64_t bytes = 0;
	int tensors = 0;

	for (int i = 0; i < INPUTS; i++) {
		const struct roof_arg *a = roof_at(op, c, i);

		if (!a)
			continue;
		tensors++;
		bytes = ROOF_PLUS(bytes, roof_arg_bytes(a));
		if (!broadcast(&out, &a->shape))
			return roof_unknown(ROOF_WHY_MISFIT);
	}
	if (tensors == 0 || (is_in_place(c) && !roof_at(op, c, 0)))
		return roof_unknown(ROOF_WHY_MISFIT);
	int64_t n = roof_elements(&out);
	/* The arithmetic is done in the type of what is read. */
	return roof_work_as(promoted(op, c, op->p[RESULT] == ROOF_CHOSEN),
		saturate_times(n, op->p[FLOP_EACH]),
		ROOF_PLUS(bytes,
			roof_bytes_as(n,
				is_in_place(c)
					? c->arg[op->p[0]].element
					: roof_result_of(op, c, (enum roof_result)op->p[RESULT]))));
}

/* An element each, maybe of another type; "to" is all written, "from" read as far as it is stored.
 */
struct roof_work roof_copy(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *to = roof_at(op, c, 0), *from = roof_at(op, c, 1);

	if (!to || !from)
		return roof_unknown(ROOF_WHY_MISFIT);
	int64_t n = roof_elements(&to->shape);
	return roof_work_of(
		c, op->p[0], n, ROOF_PLUS(roof_bytes_as(n, to->element), roof_arg_bytes(from)));
}

struct roof_work roof_fill(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *x = roof_at(op, c, 0);

	if (!x)
		return roof_unknown(ROOF_WHY_MISFIT);
	return roof_work_of(c, op->p[0], 0, roof_bytes_as(roof_elements(&x->shape), x->element));
}

/* An activation of one half times the other: what is read is twice what is written. */
struct roof_work roof_gated(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *out = roof_at(op, c, 0), *in = roof_at(op, c, 1);

	if (!out || !in ||
		roof_elements(&in->shape) != saturate_times(2, roof_elements(&out->shape)))
		return roof_unknown(ROOF_WHY_MISFIT);
	return roof_work_of(c, op->p[1], saturate_times(roof_elements(&out->shape), op->p[2]),
		ROOF_PLUS(roof_arg_bytes(in), roof_arg_bytes(out)));
}

/* A draw and a product an element.  The mask is written beside the result. */
struct roof_work roof_dropout(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *x = roof_at(op, c, 0);

	if (!x)
		return roof_unknown(ROOF_WHY_MISFIT);
	int64_t n = roof_elements(&x->shape);
	return roof_work_of(c, op->p[0], saturate_times(2, n),
		ROOF_PLUS(roof_arg_bytes(x), roof_bytes_as(n, x->element), n));
}

/* FBGEMM's 8-bit formats: a number a byte, and of each row its scale and its bias behind them.  One
 * conversion a number. */
struct roof_work roof_quantized(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *x = roof_at(op, c, 0);
	int64_t width = x && x->shape.n > 0 ? x->shape.dim[x->shape.n - 1] : 0;
	int64_t written = saturate_add(width, op->p[2]);

	if (width < 1 || written < 0)
		return roof_unknown(ROOF_WHY_MISFIT);
	int64_t rows = roof_elements(&x->shape) / width;
	return roof_work_as(roof_element_of(SPAN("float")),
		roof_product(rows, MIN(width, written), 1, 1),
		ROOF_PLUS(roof_arg_bytes(x), roof_product(rows, written, op->p[1], 1)));
}

/* Each pair of elements is turned: 4 products and 2 sums.  The table of angles is left out. */
struct roof_work roof_rope(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *q = roof_at(op, c, 0), *k = roof_at(op, c, 1);

	if (!q || (op->p[1] >= 0 && !k))
		return roof_unknown(ROOF_WHY_MISFIT);
	int64_t n = roof_elements(&q->shape);
	int64_t bytes = roof_arg_bytes(q);
	if (k) {
		saturate_onto(&n, roof_elements(&k->shape));
		bytes = ROOF_PLUS(bytes, roof_arg_bytes(k));
	}
	return roof_work_of(c, op->p[0], saturate_times(3, n), ROOF_PLUS(bytes, bytes));
}

/* Keys and values into their places of a cache.  The places themselves are left out. */
struct roof_work roof_cache(const struct roof_op *op, const struct roof_call *c)
{
	int64_t bytes = 0;

	for (int i = 0; i < 2; i++) {
		const struct roof_arg *from = roof_at(op, c, i);
		const struct roof_arg *cache = roof_call_tensor(c, op->p[2 + i]);

		if (!from || !cache)
			return roof_unknown(ROOF_WHY_MISFIT);
		bytes = ROOF_PLUS(bytes, roof_arg_bytes(from),
			roof_bytes_as(roof_elements(&from->shape), cache->element));
	}
	return roof_work_of(c, op->p[0], 0, bytes);
}

/* Ops on lists of tensors: optimizers, and what they are made of.  The profiler does not write what
 * type a list's tensors have; a kernel's name does (roof_call.hint).
 *
 * Source: aten/src/ATen/native/cuda/fused_adam_utils.cuh, ForeachFunctors.cuh. */

/* Why the first argument is no list with shapes: torch before 2.1 wrote none of lists. */
static enum roof_reason why_not(const struct roof_call *c)
{
	bool is_list = c->n > 0 && c->arg[0].kind != ROOF_ARG_TENSOR;

	return is_list ? ROOF_WHY_NO_SHAPES : ROOF_WHY_MISFIT;
}

static bool is_list(const struct roof_call *c, int arg)
{
	return arg >= 0 && (size_t)arg < c->n && c->arg[arg].kind == ROOF_ARG_LIST &&
		c->arg[arg].nmember > 0;
}

/* The type of the lists; NULL: it is neither written nor in a kernel's name. */
static const struct roof_element *of_list(const struct roof_call *c)
{
	return c->arg[0].element ? c->arg[0].element : c->hint;
}

/* Every list is read; the first, or a new one like it, is written. */
struct roof_work roof_foreach(const struct roof_op *op, const struct roof_call *c)
{
	int64_t bytes = 0;

	if (!is_list(c, 0))
		return roof_unknown(why_not(c));
	int64_t n = roof_arg_elements(&c->arg[0]);
	for (size_t i = 0; i < c->n; i++)
		bytes = ROOF_PLUS(bytes, roof_bytes_of(c, (int)i));
	if (op->p[1])
		bytes = ROOF_PLUS(bytes, roof_bytes_as(n, of_list(c)));
	return roof_work_as(of_list(c), saturate_times(n, op->p[0]), bytes);
}

/* Parameters, gradients and what the optimizer remembers: the lists 0 .. p[0] - 1 that are as long
 * as the parameters are read, and all of them but the gradients (1) are written. */
struct roof_work roof_fused_step(const struct roof_op *op, const struct roof_call *c)
{
	int64_t bytes = 0, one;

	if (!is_list(c, 0))
		return roof_unknown(why_not(c));
	int64_t n = roof_arg_elements(&c->arg[0]);
	for (int i = 0; i < op->p[0]; i++) {
		if (!is_list(c, i))
			continue;
		one = roof_bytes_of(c, i);
		bytes = ROOF_PLUS(bytes, i == 1 ? one : ROOF_PLUS(one, one));
	}
	return roof_work_as(of_list(c), saturate_times(n, op->p[1]), bytes);
}
