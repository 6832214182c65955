/* Normalisations.  FLOP as TraceLens counts them: a scale and a shift of each element (2 E), 3 E
 * more for statistics of the batch, 6 for each channel; backward 9 E.  Bytes: activations, weights
 * and statistics that are there.
 *
 * Source: TraceLens, Normalization; aten/src/ATen/native/cpu/batch_norm_kernel.cpp. */
#include "analyze/costmodel/formulas.h"
#include "base/base.h"

enum { BY_CHANNEL = -1 }; /* the shape's place: statistics are of the second dimension */

/* Values of a list, multiplied; else elements of the weights. */
static int64_t shape_elements(const struct roof_call *c, int arg, int weight)
{
	const struct roof_arg *w = roof_call_tensor(c, weight);
	int64_t v[ROOF_DIMS_MAX], n = 1;
	int count = roof_call_list(c, arg, v, ROOF_DIMS_MAX);

	if (count < 1)
		return w ? roof_elements(&w->shape) : -1;
	for (int i = 0; i < count; i++)
		n = v[i] > 0 ? saturate_times(n, v[i]) : 0;
	return n;
}

static int64_t channels_of(
	const struct roof_op *op, const struct roof_call *c, const struct roof_shape *x)
{
	if (op->p[4] == BY_CHANNEL)
		return x->n > 1 ? x->dim[1] : -1;
	return shape_elements(c, op->p[4], op->p[1]);
}

/* Running mean and variance are read, and written again while training. */
static int64_t running_bytes(const struct roof_op *op, const struct roof_call *c, bool is_training)
{
	if (op->p[3] < 0)
		return 0;
	int64_t n = ROOF_PLUS(roof_bytes_of(c, op->p[3]), roof_bytes_of(c, op->p[3] + 1));
	return is_training ? ROOF_PLUS(n, n) : n;
}

struct roof_work roof_norm(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *x = roof_at(op, c, 0);
	bool is_training = true;
	int64_t channels = x ? channels_of(op, c, &x->shape) : -1;

	if (channels < 0)
		return roof_unknown(
			x && op->p[4] != BY_CHANNEL ? ROOF_WHY_NO_VALUES : ROOF_WHY_MISFIT);
	if (op->p[5] >= 0 && !roof_call_bool(c, op->p[5], &is_training))
		return roof_unknown(ROOF_WHY_NO_VALUES);
	int64_t n = roof_elements(&x->shape);
	int64_t bytes = ROOF_PLUS(roof_arg_bytes(x), roof_bytes_as(n, x->element),
		roof_bytes_of(c, op->p[1]), roof_bytes_of(c, op->p[2]));
	return roof_work_of(c, op->p[0],
		saturate_add(saturate_times(n, is_training ? 5 : 2), saturate_times(channels, 6)),
		ROOF_PLUS(bytes, running_bytes(op, c, is_training)));
}

/* What backward reads of weights and statistics, and writes of gradients of weights.  Weights that
 * are not there have a gradient all the same where the mask says so (of zeros); none is counted. */
static int64_t back_bytes(const struct roof_op *op, const struct roof_call *c)
{
	int64_t weight = roof_bytes_of(c, op->p[2]), n = weight;

	for (int i = op->p[3]; i >= 0 && i <= op->p[4]; i++)
		n = ROOF_PLUS(n, roof_bytes_of(c, i));
	for (int i = 1; i <= 2; i++)
		if (roof_call_mask(c, op->p[5], i))
			n = ROOF_PLUS(n, weight);
	return n;
}

struct roof_work roof_norm_back(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *dy = roof_at(op, c, 0), *x = roof_at(op, c, 1);
	bool gives_input = roof_call_mask(c, op->p[5], 0);

	if (!dy || !x)
		return roof_unknown(ROOF_WHY_MISFIT);
	if (op->p[5] >= 0 && !c->has_values)
		return roof_unknown(ROOF_WHY_NO_VALUES);
	int64_t n = roof_elements(&x->shape);
	int64_t bytes = ROOF_PLUS(roof_arg_bytes(dy), roof_arg_bytes(x));
	if (gives_input)
		bytes = ROOF_PLUS(bytes, roof_bytes_as(n, x->element));
	return roof_work_of(c, op->p[1], saturate_times(n, gives_input ? 9 : 6),
		ROOF_PLUS(bytes, back_bytes(op, c)));
}

/* x / sqrt(mean(x^2)), and a weight; before that, maybe, a residual is added, which goes on. */
struct roof_work roof_rms(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *x = roof_at(op, c, 0);
	int64_t width = shape_elements(c, op->p[2], op->p[1]);

	if (!x || width <= 0)
		return roof_unknown(x && op->p[2] >= 0 ? ROOF_WHY_NO_VALUES : ROOF_WHY_MISFIT);
	int64_t n = roof_elements(&x->shape);
	int64_t each = 3 + op->p[4] + (roof_at(op, c, 1) != NULL);
	return roof_work_of(c, op->p[0],
		saturate_add(saturate_times(n, each), saturate_times(2, n / width)),
		ROOF_PLUS(roof_bytes_as(saturate_times(n, op->p[3]), x->element),
			roof_bytes_of(c, op->p[1])));
}

struct roof_work roof_rms_back(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *dy = roof_at(op, c, 0), *x = roof_at(op, c, 1);
	bool has_weight = roof_at(op, c, 4) != NULL;
	int64_t width = shape_elements(c, op->p[2], op->p[4]), each = 1 + has_weight;

	if (!dy || !x || width <= 0 || !c->has_values)
		return roof_unknown(dy && x ? ROOF_WHY_NO_VALUES : ROOF_WHY_MISFIT);
	int64_t n = roof_elements(&x->shape);
	int64_t bytes = ROOF_PLUS(roof_arg_bytes(dy), roof_arg_bytes(x), roof_bytes_of(c, op->p[3]),
		roof_bytes_of(c, op->p[4]));
	if (roof_call_mask(c, op->p[5], 0)) {
		each += 6;
		bytes = ROOF_PLUS(bytes, roof_bytes_as(n, x->element));
	}
	if (has_weight && roof_call_mask(c, op->p[5], 1)) {
		each += n / width > 1 ? 2 : 1;
		bytes = ROOF_PLUS(bytes, roof_bytes_of(c, op->p[4]));
	}
	return roof_work_of(c, op->p[1], saturate_times(n, each), bytes);
}

/* The largest is taken off, e to the power, their sum, divided by that. */
struct roof_work roof_softmax(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *x = roof_at(op, c, 0);
	const struct roof_element *e = x ? x->element : NULL;
	bool is_widened = false;

	if (!x)
		return roof_unknown(ROOF_WHY_MISFIT);
	if (op->p[2] < 0 && roof_call_bool(c, 2, &is_widened) && is_widened)
		e = roof_element_of(SPAN("float"));
	int64_t n = roof_elements(&x->shape);
	return roof_work_of(c, op->p[0], saturate_times(n, op->p[1]),
		ROOF_PLUS(roof_arg_bytes(x), roof_bytes_as(n, e), roof_bytes_of(c, op->p[2])));
}
