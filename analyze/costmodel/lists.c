/*
 * Ops on lists of tensors: optimizers, and what they are made of.  The profiler does not write what
 * type a list's tensors have; a kernel's name does (roof_call.hint).
 *
 * Source: aten/src/ATen/native/cuda/fused_adam_utils.cuh, ForeachFunctors.cuh.
 */
#include "analyze/costmodel/formulas.h"
#include "base/saturate.h"

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
static const struct roof_element *element_of(const struct roof_call *c, int arg)
{
	return c->arg[arg].element ? c->arg[arg].element : c->hint;
}

/* Every list is read; the first, or a new one like it, is written. */
void roof_foreach(const struct roof_op *op, const struct roof_call *c, struct roof_work *w)
{
	int64_t n, bytes = 0;
	size_t i;

	if (!is_list(c, 0)) {
		roof_unknown(w, why_not(c));
		return;
	}
	n = roof_arg_elements(&c->arg[0]);
	for (i = 0; i < c->n; i++)
		bytes = roof_plus(bytes, roof_bytes_of(c, (int)i));
	w->dtype = element_of(c, 0) ? element_of(c, 0)->dtype : ROOF_DTYPE_COUNT;
	roof_set_flop(w, saturate_times(n, op->p[0]));
	if (op->p[1])
		bytes = roof_plus(bytes, roof_bytes_as(n, element_of(c, 0)));
	roof_set_bytes(w, bytes);
}

/*
 * Parameters, gradients and what the optimizer remembers: the lists 0 .. p[0] - 1 that are as long
 * as the parameters are read, and all of them but the gradients (1) are written.
 */
void roof_fused_step(const struct roof_op *op, const struct roof_call *c, struct roof_work *w)
{
	int64_t n, bytes = 0, one;
	int i;

	if (!is_list(c, 0)) {
		roof_unknown(w, why_not(c));
		return;
	}
	n = roof_arg_elements(&c->arg[0]);
	for (i = 0; i < op->p[0]; i++) {
		if (!is_list(c, i))
			continue;
		one = roof_bytes_of(c, i);
		bytes = roof_plus(bytes, i == 1 ? one : roof_plus(one, one));
	}
	w->dtype = element_of(c, 0) ? element_of(c, 0)->dtype : ROOF_DTYPE_COUNT;
	roof_set_flop(w, saturate_times(n, op->p[1]));
	roof_set_bytes(w, bytes);
}
