/* Op sums: rows are sorted by key, and neighbours with the same key are one. */
#include "analyze/compare/opsums.h"

#include "analyze/job/jobsteps.h"
#include "analyze/job/sides.h"

int opsum_compare(const struct opsum_key *a, const struct opsum_key *b)
{
	return COMPARE_BY(span_cmp(a->name, b->name), span_cmp(a->op, b->op),
		span_cmp(a->dims, b->dims), compare3(a->kind, b->kind));
}

ORDER(by_key, struct opsum_item, opsum_compare(&a->key, &b->key), compare3(a->trace, b->trace),
	compare3(a->op->place, b->op->place))

static struct opsum_key key_of(
	const struct digest_op *op, const struct digest_shape *shape, enum opsums_by by)
{
	struct opsum_key key = { op->name, op->op, { "", 0 }, op->kind };

	if ((by == OPSUMS_OP || by == OPSUMS_SHAPE) && op->op.n > 0)
		key = (struct opsum_key){ op->op, { "", 0 }, { "", 0 }, KIND_OP };
	if (by == OPSUMS_NAME)
		key.op = (struct span){ "", 0 };
	if (shape)
		key.dims = shape->dims;
	return key;
}

static size_t count_items(const struct digest_ops *ops, enum opsums_by by)
{
	return SUM(size_t, i, ops->n,
		by == OPSUMS_SHAPE && ops->v[i].nshape > 0 ? ops->v[i].nshape : 1);
}

static size_t put_items(
	struct opsum_item *item, const struct digest_ops *ops, uint32_t trace, enum opsums_by by)
{
	size_t n = 0;

	for (size_t i = 0; i < ops->n; i++) {
		const struct digest_op *op = &ops->v[i];

		if (by != OPSUMS_SHAPE || op->nshape == 0)
			item[n++] = (struct opsum_item){ key_of(op, NULL, by), trace, op, NULL };
		for (size_t k = 0; by == OPSUMS_SHAPE && k < op->nshape; k++)
			item[n++] = (struct opsum_item){ key_of(op, &op->shape[k], by), trace, op,
				&op->shape[k] };
	}
	return n;
}

static void add_item(struct opsum *row, const struct opsum_item *item)
{
	const struct digest_op *op = item->op;

	row->place = MIN(op->place, row->place);
	saturate_onto(&row->calls, item->shape ? item->shape->calls : op->calls);
	saturate_onto(&row->ns, item->shape ? item->shape->ns : op->ns);
	if (item->shape) {
		row->all_calls = row->all_ns = -1;
	} else {
		saturate_onto(&row->all_calls, op->all_calls);
		saturate_onto(&row->all_ns, op->all_ns);
	}
	row->nitem++;
}

/* All rows of a side's traces; *n receives how many. */
static struct opsum_item *gather(
	const struct opsums *o, bool host, enum opsums_by by, size_t *n, struct arena *mem)
{
	struct opsum_item *item;

	*n = 0;
	for (EACH(const struct side_trace, trace, o->trace, o->ntrace))
		*n += count_items(host ? &trace->digest->host : &trace->digest->device, by);
	item = arena_array(mem, *n, sizeof(*item));
	*n = 0;
	for (size_t i = 0; i < o->ntrace; i++)
		*n += put_items(item + *n,
			host ? &o->trace[i].digest->host : &o->trace[i].digest->device, (uint32_t)i,
			by);
	return item;
}

/* The rows of a run from *at on, per step and rank; exact where calls are whole numbers. */
static void run_means(
	const struct opsums *o, const struct opsum *row, size_t *at, double *ns, double *calls)
{
	const struct side_trace *run = &o->trace[row->item[*at].trace], *t;

	*ns = *calls = 0;
	while (*at < row->nitem && o->trace[row->item[*at].trace].run == run->run) {
		int64_t sum = 0, n = 0;

		t = &o->trace[row->item[*at].trace];
		for (; *at < row->nitem && &o->trace[row->item[*at].trace] == t; ++*at) {
			const struct opsum_item *item = &row->item[*at];

			saturate_onto(&n, item->shape ? item->shape->calls : item->op->calls);
			saturate_onto(&sum, item->shape ? item->shape->ns : item->op->ns);
		}
		if (t->digest->nstep > 0) {
			*ns += (double)sum / (double)t->digest->nstep;
			*calls += (double)n / (double)t->digest->nstep;
		}
	}
	*ns /= (double)run->nrank;
	*calls /= (double)run->nrank;
}

static void put_means(const struct opsums *o, struct opsum *row)
{
	double ns, calls;
	size_t at = 0;

	while (at < row->nitem) {
		run_means(o, row, &at, &ns, &calls);
		row->step_ns += ns;
		row->step_calls += calls;
	}
	row->step_ns /= (double)o->nrun;
	row->step_calls /= (double)o->nrun;
}

double opsum_run_ns(const struct opsums *o, const struct opsum *row, size_t run)
{
	double ns, calls;
	size_t at = 0, of;

	while (at < row->nitem) {
		of = o->trace[row->item[at].trace].run;
		run_means(o, row, &at, &ns, &calls);
		if (of == run)
			return ns;
	}
	return 0;
}

bool opsum_is_steady(const struct opsums *o, const struct opsum *row)
{
	size_t steady = 0;

	for (size_t at = 0, trace = 0; trace < o->ntrace; trace++) {
		int64_t calls = 0, steps = (int64_t)o->trace[trace].digest->nstep;

		for (; at < row->nitem && row->item[at].trace == trace; at++)
			saturate_onto(&calls,
				row->item[at].shape ? row->item[at].shape->calls
						    : row->item[at].op->calls);
		steady += steps > 0 && calls % steps == 0 &&
			calls / steps == saturate_round(row->step_calls);
	}
	return steady == o->ntrace;
}

/* Items of a key become a row; v has room for one each. */
static void group(struct opsums *o)
{
	sort_rows(o->item, o->nitem, sizeof(*o->item), by_key);
	o->n = 0;
	for (EACH(const struct opsum_item, item, o->item, o->nitem)) {
		if (o->n == 0 || opsum_compare(&o->v[o->n - 1].key, &item->key) != 0)
			o->v[o->n++] = (struct opsum){
				.key = item->key, .place = UINT32_MAX, .item = item
			};
		add_item(&o->v[o->n - 1], item);
	}
	for (size_t i = 0; i < o->n; i++)
		put_means(o, &o->v[i]);
}

void opsums_init(
	struct opsums *o, const struct side *s, bool host, enum opsums_by by, struct arena *mem)
{
	*o = (struct opsums){ .nstep = sides_steps(s) };
	o->trace = sides_traces(s, &o->ntrace, &o->nrun, mem);
	o->item = gather(o, host, by, &o->nitem, mem);
	o->v = arena_array(mem, o->nitem, sizeof(*o->v));
	group(o);
}

/* The first row that is not before the key. */
static size_t lower(const struct opsums *o, const struct opsum_key *key)
{
	return PARTITION_POINT(i, 0, o->n, opsum_compare(&o->v[i].key, key) < 0);
}

/* It has work of shapes, and the other side none of them. */
static bool is_loose(const struct opsum *row, const struct opsums *other)
{
	size_t at = lower(other, &row->key);

	return row->key.dims.n > 0 && row->calls > 0 &&
		(at == other->n || opsum_compare(&other->v[at].key, &row->key) != 0 ||
			other->v[at].calls == 0);
}

/* The side has a loose row of that name. */
static bool has_loose(
	const struct opsums *o, const struct opsum_key *key, const struct opsums *other)
{
	const struct opsum_key first = { .name = key->name, .op = key->op };

	for (size_t i = lower(o, &first); i < o->n && span_eq(o->v[i].key.name, key->name); i++)
		if (span_eq(o->v[i].key.op, key->op) && o->v[i].key.kind == key->kind &&
			is_loose(&o->v[i], other))
			return true;
	return false;
}

/* By row: it is to be joined with others. */
static bool *find_loose(const struct opsums *o, const struct opsums *other, struct arena *mem)
{
	bool *is = arena_array(mem, o->n, sizeof(*is));

	for (size_t i = 0; i < o->n; i++)
		is[i] = is_loose(&o->v[i], other) && has_loose(other, &o->v[i].key, o);
	return is;
}

static void join(struct opsums *o, const bool *is)
{
	size_t at = 0;

	for (size_t i = 0; i < o->n; i++)
		for (size_t k = 0; k < o->v[i].nitem; k++, at++)
			if (is[i])
				o->item[at].key.dims = SPAN(OPSUMS_OTHER_SHAPES);
	group(o);
}

void opsums_join_shapes(struct opsums *base, struct opsums *now, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	const bool *a = find_loose(base, now, mem), *b = find_loose(now, base, mem);

	join(base, a);
	join(now, b);
	arena_reset(mem, mark);
}

bool opsum_run_values(const struct opsums *o, const struct opsum *row, const struct side_run *run,
	size_t at, const struct jobsteps *steps, double *v)
{
	size_t rank;
	uint32_t first = 0;

	while (first < o->ntrace && o->trace[first].run != at)
		first++;
	FILL(v, steps->n, 0);
	for (EACH(const struct opsum_item, item, row->item, row->nitem)) {
		if (o->trace[item->trace].run != at)
			continue;
		if (item->shape || !item->op->step_ns)
			return false;
		rank = item->trace - first;
		for (size_t k = 0; k < steps->n; k++)
			v[k] += (double)item->op->step_ns[jobsteps_at(steps, k, rank) -
					run->part[rank].digest->step] /
				(double)run->nrank;
	}
	return true;
}

const char *opsum_name(const struct opsum_key *key, struct arena *mem)
{
	SCOPED_STR b = { 0 };

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
	return arena_copy(mem, b.s ? b.s : "", b.n);
}
