/* Reductions: an operation an element that is read.
 *
 * Source: TraceLens, Reduce; the ops' signatures in aten/src/ATen/native/native_functions.yaml. */
#include "analyze/costmodel/formulas.h"
#include "base/base.h"

enum { X = 0, DIMENSIONS = 1, RESULT = 2, RESULTS = 3, ARGUMENTS = 4, TYPE = 5 };

/* Elements that are left when the dimensions that a value says are gone; -1: they are not said. */
static int64_t left_of(const struct roof_call *c, const struct roof_shape *x, int arg)
{
	int64_t v[ROOF_DIMS_MAX], n = 1;
	bool gone[ROOF_DIMS_MAX] = { false };
	int count = roof_call_list(c, arg, v, ROOF_DIMS_MAX);

	if (!c->has_values || x->n < 0)
		return -1;
	if (count <= 0)
		return 1; /* none said: all of them */
	for (int i = 0; i < count; i++) {
		int64_t d = v[i] < 0 ? v[i] + x->n : v[i];

		if (d < 0 || d >= x->n)
			return x->n == 0 ? 1 : -1;
		gone[d] = true;
	}
	for (int i = 0; i < x->n; i++)
		n = gone[i] ? n : saturate_times(n, x->dim[i]);
	return n;
}

static const struct roof_element *result_element(
	const struct roof_op *op, const struct roof_call *c)
{
	int64_t scalar;

	if (roof_call_int(c, op->p[TYPE], &scalar))
		return roof_element_of_scalar(scalar);
	return roof_result_of(op, c, (enum roof_result)op->p[RESULT]);
}

struct roof_work roof_reduce(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *x = roof_at(op, c, X);
	bool has_dimensions = (int)c->n >= op->p[ARGUMENTS];

	if (!x)
		return roof_unknown(ROOF_WHY_MISFIT);
	int64_t n = roof_elements(&x->shape);
	int64_t left = has_dimensions ? left_of(c, &x->shape, op->p[DIMENSIONS]) : 1;
	if (left < 0) {
		struct roof_work w = roof_work_of(c, op->p[X], n, -1);

		w.why = ROOF_WHY_NO_VALUES;
		return w;
	}
	int64_t out = roof_bytes_as(left, result_element(op, c));
	if (has_dimensions && op->p[RESULTS] > 1) /* where each was, beside what it is */
		out = ROOF_PLUS(out, saturate_times(left, 8));
	return roof_work_of(c, op->p[X], n, ROOF_PLUS(roof_arg_bytes(x), out));
}

/* Cumulative sums: as many as there are elements. */
struct roof_work roof_scan(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *x = roof_at(op, c, X);
	const struct roof_element *e = roof_result_of(op, c, (enum roof_result)op->p[1]);
	int64_t scalar;

	if (!x)
		return roof_unknown(ROOF_WHY_MISFIT);
	if (roof_call_int(c, 2, &scalar))
		e = roof_element_of_scalar(scalar);
	int64_t n = roof_elements(&x->shape);
	return roof_work_of(c, op->p[X], n, ROOF_PLUS(roof_arg_bytes(x), roof_bytes_as(n, e)));
}
