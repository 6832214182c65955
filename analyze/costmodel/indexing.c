/*
 * Moving elements about: no arithmetic.  What is fetched from a table counts once for each place it
 * goes to, but never more than the table has; indexes are read, too.
 */
#include "analyze/costmodel/formulas.h"
#include "base/base.h"

/* n elements out of a table by an index: both are read, n are written. */
static void fetched(const struct roof_call *c, const struct roof_arg *table, int index, int64_t n,
	struct roof_work *w)
{
	int64_t all = roof_elements(&table->shape);
	int64_t bytes = roof_plus(
		roof_bytes_as(MIN(n, all), table->element), roof_bytes_as(n, table->element));

	w->dtype = table->element ? table->element->dtype : ROOF_DTYPE_COUNT;
	roof_set_flop(w, 0);
	roof_set_bytes(w, roof_plus(bytes, roof_bytes_of(c, index)));
}

void roof_select(const struct roof_op *op, const struct roof_call *c, struct roof_work *w)
{
	const struct roof_arg *table = roof_call_tensor(c, op->p[0]);
	const struct roof_arg *index = roof_call_tensor(c, op->p[2]);
	int64_t d;

	if (!table || !index) {
		roof_unknown(w, ROOF_WHY_MISFIT);
		return;
	}
	if (!roof_call_int(c, op->p[1], &d)) {
		roof_unknown(w, ROOF_WHY_NO_VALUES);
		return;
	}
	d = d < 0 ? saturate_add(d, table->shape.n) : d;
	if (d < 0 || d >= table->shape.n) {
		roof_unknown(w, ROOF_WHY_MISFIT);
		return;
	}
	struct roof_shape out = table->shape;
	out.dim[d] = roof_elements(&index->shape);
	fetched(c, table, op->p[2], roof_elements(&out), w);
}

void roof_gather(const struct roof_op *op, const struct roof_call *c, struct roof_work *w)
{
	const struct roof_arg *table = roof_call_tensor(c, op->p[0]);
	const struct roof_arg *index = roof_call_tensor(c, op->p[1]);

	if (!table || !index)
		roof_unknown(w, ROOF_WHY_MISFIT);
	else
		fetched(c, table, op->p[1], roof_elements(&index->shape), w);
}

void roof_embedding(const struct roof_op *op, const struct roof_call *c, struct roof_work *w)
{
	const struct roof_arg *table = roof_call_tensor(c, op->p[0]);
	const struct roof_arg *index = roof_call_tensor(c, op->p[1]);

	if (!table || !index || table->shape.n != 2)
		roof_unknown(w, ROOF_WHY_MISFIT);
	else
		fetched(c, table, op->p[1],
			saturate_times(roof_elements(&index->shape), table->shape.dim[1]), w);
}

/* Gradients are added onto the rows of a table that is set to zero. */
void roof_embedding_back(const struct roof_op *op, const struct roof_call *c, struct roof_work *w)
{
	const struct roof_arg *dy = roof_call_tensor(c, op->p[0]);
	const struct roof_arg *index = roof_call_tensor(c, op->p[1]);
	int64_t rows;

	if (!dy || !index || dy->shape.n < 1) {
		roof_unknown(w, ROOF_WHY_MISFIT);
		return;
	}
	if (!roof_call_int(c, op->p[2], &rows) || rows < 0) {
		roof_unknown(w, ROOF_WHY_NO_VALUES);
		return;
	}
	int64_t bytes = roof_plus(roof_arg_bytes(dy), roof_arg_bytes(index));
	roof_set_dtype(w, c, op->p[0]);
	roof_set_flop(w, roof_elements(&dy->shape));
	roof_set_bytes(w,
		roof_plus(bytes,
			roof_bytes_as(saturate_times(rows, dy->shape.dim[dy->shape.n - 1]),
				dy->element)));
}

void roof_concatenate(const struct roof_op *op, const struct roof_call *c, struct roof_work *w)
{
	int64_t bytes = roof_bytes_of(c, op->p[0]);

	if (c->n == 0 || c->arg[op->p[0]].kind == ROOF_ARG_TENSOR) {
		roof_unknown(w, ROOF_WHY_MISFIT);
		return;
	}
	if (c->arg[op->p[0]].nmember == 0) { /* torch before 2.1 writes no shapes of lists */
		roof_unknown(w, ROOF_WHY_NO_SHAPES);
		return;
	}
	w->dtype = c->hint ? c->hint->dtype : ROOF_DTYPE_COUNT;
	roof_set_flop(w, 0);
	roof_set_bytes(w, roof_plus(bytes, bytes));
}

void roof_untold(const struct roof_op *op, const struct roof_call *c UNUSED, struct roof_work *w)
{
	roof_unknown(w, (enum roof_reason)op->p[0]);
}
