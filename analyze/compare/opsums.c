/*
 * Op sums: rows are sorted by key, and neighbours with the same key are one.
 */
#include "analyze/compare/opsums.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/compare/sides.h"
#include "base/saturate.h"

int opsum_compare(const struct opsum_key *a, const struct opsum_key *b)
{
	int c = span_cmp(a->name, b->name);

	if (c == 0)
		c = span_cmp(a->op, b->op);
	if (c == 0)
		c = span_cmp(a->dims, b->dims);
	return c ? c : (a->kind > b->kind) - (a->kind < b->kind);
}

static int by_key(const void *pa, const void *pb)
{
	const struct opsum_item *a = pa, *b = pb;
	int c = opsum_compare(&a->key, &b->key);

	if (c == 0)
		c = (a->trace > b->trace) - (a->trace < b->trace);
	return c ? c : (a->op->place > b->op->place) - (a->op->place < b->op->place);
}

static struct opsum_key key_of(
	const struct digest_op *op, const struct digest_shape *shape, enum opsums_by by)
{
	struct opsum_key key = { op->name, op->op, { "", 0 }, op->kind };

	if (by == OPSUMS_OP && op->op.n > 0)
		key = (struct opsum_key){ op->op, { "", 0 }, { "", 0 }, KIND_OP };
	if (by == OPSUMS_NAME)
		key.op = (struct span){ "", 0 };
	if (shape)
		key.dims = shape->dims;
	return key;
}

static size_t count_items(const struct digest_ops *ops, enum opsums_by by)
{
	size_t i, n = 0;

	for (i = 0; i < ops->n; i++)
		n += by == OPSUMS_SHAPE && ops->v[i].nshape > 0 ? ops->v[i].nshape : 1;
	return n;
}

static size_t put_items(
	struct opsum_item *item, const struct digest_ops *ops, uint32_t trace, enum opsums_by by)
{
	size_t i, k, n = 0;

	for (i = 0; i < ops->n; i++) {
		const struct digest_op *op = &ops->v[i];

		if (by != OPSUMS_SHAPE || op->nshape == 0)
			item[n++] = (struct opsum_item){ key_of(op, NULL, by), trace, op, NULL };
		for (k = 0; by == OPSUMS_SHAPE && k < op->nshape; k++)
			item[n++] = (struct opsum_item){ key_of(op, &op->shape[k], by), trace, op,
				&op->shape[k] };
	}
	return n;
}

static void add_item(struct opsum *row, const struct opsum_item *item)
{
	const struct digest_op *op = item->op;

	row->place = op->place < row->place ? op->place : row->place;
	row->calls += item->shape ? item->shape->calls : op->calls;
	saturate_onto(&row->ns, item->shape ? item->shape->ns : op->ns);
	if (item->shape) {
		row->all_calls = row->all_ns = -1;
	} else {
		row->all_calls += op->all_calls;
		saturate_onto(&row->all_ns, op->all_ns);
	}
	row->nitem++;
}

/* All rows of a side's traces; *n receives how many. */
static struct opsum_item *gather(struct opsums *o, const struct side *s, bool host,
	enum opsums_by by, size_t *n, struct arena *mem)
{
	struct opsum_item *item;
	size_t i, k;

	*n = 0;
	for (i = 0; i < s->nrun; i++)
		for (k = 0; k < s->run[i].nrank; k++) {
			const struct digest *d = s->run[i].part[k].digest;

			*n += count_items(host ? &d->host : &d->device, by);
		}
	item = arena_array(mem, *n, sizeof(*item));
	*n = 0;
	for (i = 0; i < s->nrun; i++)
		for (k = 0; k < s->run[i].nrank; k++) {
			const struct digest *d = s->run[i].part[k].digest;

			*n += put_items(
				item + *n, host ? &d->host : &d->device, (uint32_t)o->ntrace++, by);
			o->nstep += d->nstep;
		}
	return item;
}

void opsums_init(
	struct opsums *o, const struct side *s, bool host, enum opsums_by by, struct arena *mem)
{
	struct opsum_item *item;
	size_t i, n;

	*o = (struct opsums){ 0 };
	item = gather(o, s, host, by, &n, mem);
	if (n > 1)
		qsort(item, n, sizeof(*item), by_key);
	o->v = arena_array(mem, n, sizeof(*o->v));
	for (i = 0; i < n; i++) {
		if (o->n == 0 || opsum_compare(&o->v[o->n - 1].key, &item[i].key) != 0)
			o->v[o->n++] = (struct opsum){
				.key = item[i].key, .place = UINT32_MAX, .item = &item[i]
			};
		add_item(&o->v[o->n - 1], &item[i]);
	}
}

/*
 * Adds a row's time to the steps of its run; false when it was not kept.  *at: the first item of
 * this trace or a later one; items are in the order of traces.
 */
static bool add_steps(
	double *v, size_t n, const struct opsum *row, size_t *at, uint32_t trace, double weight)
{
	size_t k;

	for (; row && *at < row->nitem && row->item[*at].trace == trace; ++*at) {
		const struct opsum_item *item = &row->item[*at];

		if (item->shape || !item->op->step_ns)
			return false;
		for (k = 0; k < n; k++)
			v[k] += (double)item->op->step_ns[k] * weight;
	}
	return true;
}

/* Steps that all ranks of a run have. */
static size_t common_steps(const struct side_run *run)
{
	size_t k, n = run->nrank > 0 ? run->part[0].digest->nstep : 0;

	for (k = 1; k < run->nrank; k++)
		n = run->part[k].digest->nstep < n ? run->part[k].digest->nstep : n;
	return n;
}

static double mean_of(const double *v, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += v[i];
	return sum / (double)n;
}

size_t opsum_values(
	const struct opsum *row, const struct side *s, bool per_run, double *v, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	size_t i, k, n = 0, at = 0;
	uint32_t trace = 0;

	for (i = 0; i < s->nrun; i++) {
		const struct side_run *run = &s->run[i];
		size_t steps = common_steps(run);
		double *of = arena_array(mem, steps, sizeof(*of));

		for (k = 0; k < run->nrank; k++, trace++)
			if (!add_steps(of, steps, row, &at, trace, 1 / (double)run->nrank)) {
				arena_reset(mem, mark);
				return 0;
			}
		if (per_run && steps > 0) {
			v[n++] = mean_of(of, steps);
		} else {
			memcpy(v + n, of, steps * sizeof(*v));
			n += steps;
		}
	}
	arena_reset(mem, mark);
	return n;
}

const char *opsum_name(const struct opsum_key *key, struct arena *mem)
{
	struct str b = { 0 };
	const char *text;

	if (key->op.n > 0 && key->name.n > 0) {
		str_add(&b, key->op.p, key->op.n);
		str_addc(&b, ' ');
		str_addc(&b, '(');
		str_add(&b, key->name.p, key->name.n);
		str_addc(&b, ')');
	} else if (key->op.n > 0) {
		str_add(&b, key->op.p, key->op.n);
	} else {
		str_add(&b, key->name.p, key->name.n);
	}
	if (key->dims.n > 0) {
		str_addc(&b, ' ');
		str_add(&b, key->dims.p, key->dims.n);
	}
	text = arena_copy(mem, b.s ? b.s : "", b.n);
	str_free(&b);
	return text;
}
