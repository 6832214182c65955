/* Moving elements about: no arithmetic.  What is fetched from a table counts once for each place it
 * goes to, but never more than the table has; indexes are read, too. */
#include "analyze/costmodel/formulas.h"
#include "base/base.h"

/* n elements out of a table by an index: both are read, n are written. */
static struct roof_work fetched(
	const struct roof_call *c, const struct roof_arg *table, int index, int64_t n)
{
	int64_t all = roof_elements(&table->shape);
	int64_t bytes = ROOF_PLUS(
		roof_bytes_as(MIN(n, all), table->element), roof_bytes_as(n, table->element));

	return roof_work_as(table->element, 0, ROOF_PLUS(bytes, roof_bytes_of(c, index)));
}

struct roof_work roof_select(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *table = roof_at(op, c, 0), *index = roof_at(op, c, 2);
	int64_t d;

	if (!table || !index)
		return roof_unknown(ROOF_WHY_MISFIT);
	if (!roof_call_int(c, op->p[1], &d))
		return roof_unknown(ROOF_WHY_NO_VALUES);
	d = d < 0 ? saturate_add(d, table->shape.n) : d;
	if (d < 0 || d >= table->shape.n)
		return roof_unknown(ROOF_WHY_MISFIT);
	struct roof_shape out = table->shape;
	out.dim[d] = roof_elements(&index->shape);
	return fetched(c, table, op->p[2], roof_elements(&out));
}

struct roof_work roof_gather(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *table = roof_at(op, c, 0), *index = roof_at(op, c, 1);

	if (!table || !index)
		return roof_unknown(ROOF_WHY_MISFIT);
	return fetched(c, table, op->p[1], roof_elements(&index->shape));
}

struct roof_work roof_embedding(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *table = roof_at(op, c, 0), *index = roof_at(op, c, 1);

	if (!table || !index || table->shape.n != 2)
		return roof_unknown(ROOF_WHY_MISFIT);
	return fetched(c, table, op->p[1],
		saturate_times(roof_elements(&index->shape), table->shape.dim[1]));
}

/* Gradients are added onto the rows of a table that is set to zero. */
struct roof_work roof_embedding_back(const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *dy = roof_at(op, c, 0), *index = roof_at(op, c, 1);
	int64_t rows;

	if (!dy || !index || dy->shape.n < 1)
		return roof_unknown(ROOF_WHY_MISFIT);
	if (!roof_call_int(c, op->p[2], &rows) || rows < 0)
		return roof_unknown(ROOF_WHY_NO_VALUES);
	int64_t bytes = ROOF_PLUS(roof_arg_bytes(dy), roof_arg_bytes(index));
	return roof_work_of(c, op->p[0], roof_elements(&dy->shape),
		ROOF_PLUS(bytes,
			roof_bytes_as(saturate_times(rows, dy->shape.dim[dy->shape.n - 1]),
				dy->element)));
}

struct roof_work roof_concatenate(const struct roof_op *op, const struct roof_call *c)
{
	int64_t bytes = roof_bytes_of(c, op->p[0]);

	if (c->n == 0 || c->arg[op->p[0]].kind == ROOF_ARG_TENSOR)
		return roof_unknown(ROOF_WHY_MISFIT);
	if (c->arg[op->p[0]].nmember == 0) /* torch before 2.1 writes no shapes of lists */
		return roof_unknown(ROOF_WHY_NO_SHAPES);
	return roof_work_as(c->hint, 0, ROOF_PLUS(bytes, bytes));
}

struct roof_work roof_untold(const struct roof_op *op, const struct roof_call *c UNUSED)
{
	return roof_unknown((enum roof_reason)op->p[0]);
}
