/* Summing up kernels by name.  A mean is weighted by the time of the launches it is known of; a sum
 * of bytes is one where all launches say theirs; a shape of launches that differ is none. */
#include "analyze/input/artifact/tables/kernel_rows.h"

#include "base/base.h"

/* A number that must be the same in all launches; NaN: not seen, or they differ. */
struct common {
	double v;
	bool is_seen;
};

struct kernel_name {
	double calls, timed, total, min, max, median, std;
	double share[KERNEL_BYTES], weight[KERNEL_BYTES]; /* by figure; none of KERNEL_NS */
	double bytes, byte_calls;
	struct common registers, shared;
	struct span grid, block; /* the record's; NULL: not seen, n 0: they differ */
	size_t rows;
};

void kernel_rows_open(struct kernel_rows *k, struct reading *in)
{
	*k = (struct kernel_rows){ .in = in };
	k->sheet = record_sheet(in->record, in->artifact, SHEET_KERNELS);
	op_rows_open(&k->ops, in);
	strings_init(&k->names, 0x6b65726e656cu);
}

struct kernel_launch kernel_launch_new(void)
{
	struct kernel_launch l = {
		.calls = 1, .min_ns = NAN, .max_ns = NAN, .grid = { "", 0 }, .block = { "", 0 }
	};

	FILL(l.v, KERNEL_FIGURES, NAN);
	return l;
}

/* The name's sums, made with its row; NULL: there is no room for another row. */
static struct kernel_name *name_of(struct kernel_rows *k, struct span name)
{
	size_t known = k->names.n;

	name.n = MIN(name.n, RECORD_TEXT);
	sym id = strings_intern(&k->names, name);
	if (k->names.n == known && id > 0)
		return id - 1 < k->nname ? &k->name[id - 1] : NULL;
	if (id == 0 || !record_row(k->sheet)) /* a kernel without a name is none */
		return NULL;
	table_text(&k->sheet->table, MKERNELS_NAME, record_text(k->in->record, name));
	struct kernel_name *n = PUSH(k->name, k->nname, k->cap,
		(struct kernel_name){
			.min = NAN, .max = NAN, .median = NAN, .std = NAN, .grid = { NULL, 0 } });
	return n;
}

static void take_common(struct common *c, double v)
{
	if (isnan(v))
		return;
	c->v = c->is_seen && !(c->v >= v && c->v <= v) ? NAN : v;
	c->is_seen = true;
}

static void take_shape(struct kernel_rows *k, struct span *shape, struct span t)
{
	if (t.n == 0)
		return;
	if (!shape->p)
		*shape = record_text(k->in->record, t);
	else if (!span_eq(*shape, t))
		shape->n = 0;
}

static void take_time(struct kernel_name *n, const struct kernel_launch *l)
{
	double ns = l->v[KERNEL_NS];

	if (!(ns >= 0) || !isfinite(ns))
		return;
	n->timed += l->calls;
	n->total += ns * l->calls;
	n->min = MIN(n->min, isnan(l->min_ns) ? ns : l->min_ns);
	n->max = MAX(n->max, isnan(l->max_ns) ? ns : l->max_ns);
}

/* The whole, else the sum of the two parts behind it. */
static double whole_of(const struct kernel_launch *l, enum kernel_figure f)
{
	return isnan(l->v[f]) ? l->v[f + 1] + l->v[f + 2] : l->v[f];
}

void kernel_rows_launch(struct kernel_rows *k, struct span name, const struct kernel_launch *l)
{
	struct kernel_name *n = name_of(k, name);
	double ns = l->v[KERNEL_NS], weight = (ns > 0 ? ns : 1) * l->calls;
	double bytes = whole_of(l, KERNEL_BYTES);

	k->launches++;
	if (!n)
		return;
	n->calls += l->calls;
	take_time(n, l);
	for (int i = KERNEL_OCCUPANCY; i < KERNEL_BYTES; i++)
		if (isfinite(l->v[i])) {
			n->share[i] += l->v[i] * weight;
			n->weight[i] += weight;
		}
	bytes = isnan(bytes) ? l->v[KERNEL_BYTES_PER_S] * ns / 1e9 : bytes;
	if (isfinite(bytes)) {
		n->bytes += bytes * l->calls;
		n->byte_calls += l->calls;
	}
	take_common(&n->registers, l->v[KERNEL_REGISTERS]);
	take_common(&n->shared, whole_of(l, KERNEL_SHARED));
	take_shape(k, &n->grid, l->grid);
	take_shape(k, &n->block, l->block);
}

void kernel_rows_sum(struct kernel_rows *k, struct span name, const struct kernel_sum *s)
{
	struct kernel_name *n = name_of(k, name);

	k->launches++;
	if (!n)
		return;
	n->calls += MAX(s->calls, 0);
	n->timed = n->calls;
	n->total += s->total;
	n->min = MIN(n->min, s->min);
	n->max = MAX(n->max, s->max);
	n->median = n->rows ? NAN : s->median;
	n->std = n->rows ? NAN : s->std;
	n->rows++;
}

void kernel_rows_other(struct kernel_rows *k, struct span name, double calls, double ns)
{
	size_t at = op_rows_row(&k->ops, NULL, name);

	/* What is NaN is not added. */
	op_rows_add(&k->ops, at, OPS_CALLS, calls, MEASURE_COUNT);
	op_rows_add(&k->ops, at, OPS_SELF_DEVICE, ns, MEASURE_NS);
	op_rows_add(&k->ops, at, OPS_DEVICE, ns, MEASURE_NS);
}

static void put(struct table *t, size_t row, size_t col, double v)
{
	size_t at = row * t->ncol + col;

	if (!isfinite(v))
		return;
	if (t->col[col].type == CELL_INT) {
		if (fabs(v) > 9e15)
			return;
		t->cell[at].i = saturate_round(v);
	} else {
		t->cell[at].r = v;
	}
	t->known[at] = true;
}

static void put_shape(struct table *t, size_t row, size_t col, struct span shape)
{
	t->cell[row * t->ncol + col].s = shape;
	t->known[row * t->ncol + col] = shape.n > 0;
}

static void put_row(struct kernel_rows *k, size_t row)
{
	static const size_t shares[KERNEL_BYTES] = { 0, MKERNELS_OCCUPANCY, MKERNELS_THEORETICAL,
		MKERNELS_SM, MKERNELS_MEMORY, MKERNELS_DRAM };
	const struct kernel_name *n = &k->name[row];
	struct table *t = &k->sheet->table;
	double total = n->timed > 0 && n->timed >= n->calls ? n->total : NAN;

	put(t, row, MKERNELS_CALLS, n->calls);
	put(t, row, MKERNELS_TOTAL, total);
	put(t, row, MKERNELS_MEDIAN, n->median);
	put(t, row, MKERNELS_MIN, n->min);
	put(t, row, MKERNELS_MAX, n->max);
	put(t, row, MKERNELS_STD, n->std);
	for (int i = KERNEL_OCCUPANCY; i < KERNEL_BYTES; i++)
		if (n->weight[i] > 0)
			put(t, row, shares[i], n->share[i] / n->weight[i]);
	if (n->byte_calls > 0 && n->byte_calls >= n->calls)
		put(t, row, MKERNELS_BYTES, n->bytes);
	if (n->registers.is_seen)
		put(t, row, MKERNELS_REGISTERS, n->registers.v);
	if (n->shared.is_seen)
		put(t, row, MKERNELS_SHARED, n->shared.v);
	put_shape(t, row, MKERNELS_GRID, n->grid);
	put_shape(t, row, MKERNELS_BLOCK, n->block);
	kernel_rows_other(k, table_text_at(t, row, MKERNELS_NAME), n->calls, total);
}

void kernel_rows_close(struct kernel_rows *k)
{
	for (size_t row = 0; row < k->nname; row++)
		put_row(k, row);
	op_rows_close(&k->ops);
	strings_clear(&k->names);
	free(k->name);
}
