/* The split of a change into work and speed, in integers that add up. */
#include "analyze/compare/worksplit.h"

#include "analyze/compare/metricset.h"
#include "analyze/job/jobsteps.h"
#include "analyze/job/sides.h"

/* Numbers of calls per step that differ by less are the same: they are means over ranks and runs.
 */
static const double SAME_CALLS = 1e-6;

/* The logarithmic mean of what is above 0. */
static double log_mean(double a, double b)
{
	double by = (b - a) / a;

	return fabs(by) < 1e-9 ? (a + b) / 2 : (b - a) / log1p(by);
}

/* Calls with arguments that one side alone has. */
struct others {
	double ns, calls;
	double flop, bytes; /* per step; NaN: not known of all */
	double bytes_ns;    /* of ns, bound by bytes */
	const struct work_item *most;
};

/* What a side is made of. */
struct split_sums {
	double calls, worth; /* of known ones: time at the mean prices of their work */
	double unknown_calls, unknown_ns;
	const struct work_item *unknown_most;
	struct others others;
};

struct splitting {
	const struct work_side *side[2];
	struct split_sums t[2];
};

/* By dims, flop, bytes; the order of items, and which are the same on both sides. */
static int work_item_compare(const struct work_item *a, const struct work_item *b)
{
	return COMPARE_BY(span_cmp(a->dims, b->dims), compare3(a->flop, b->flop),
		compare3(a->bytes, b->bytes));
}

/* Its work is known. */
static bool work_item_is_known(const struct work_item *a)
{
	return a->flop > 0 || a->bytes > 0;
}

static void add_unknown(struct split_sums *t, const struct work_item *i)
{
	t->unknown_calls += i->calls;
	t->unknown_ns += i->ns;
	if (!t->unknown_most || i->ns > t->unknown_most->ns)
		t->unknown_most = i;
}

static void add_other(struct others *o, const struct work_item *i)
{
	o->ns += i->ns;
	o->calls += i->calls;
	o->flop += i->flop > 0 ? i->calls * (double)i->flop : NAN;
	o->bytes += i->bytes > 0 ? i->calls * (double)i->bytes : NAN;
	o->bytes_ns += i->by_bytes ? i->ns : 0;
	if (!o->most || i->ns > o->most->ns)
		o->most = i;
}

/* Work of both sides, in any unit, at the mean price of one.  What takes no time has none. */
static void add_worth(struct splitting *s, const double *work, const double *ns)
{
	double price = 0;

	if (ns[0] > 0 && ns[1] > 0)
		price = log_mean(ns[0], ns[1]) / log_mean(work[0], work[1]);
	for (int i = 0; i < 2; i++)
		s->t[i].worth += work[i] * price;
}

/* Calls that cost the same on both sides. */
static void add_same(struct splitting *s, const struct work_item *a, const struct work_item *b)
{
	const double calls[2] = { a->calls, b->calls }, ns[2] = { a->ns, b->ns };

	add_worth(s, calls, ns);
	s->t[0].calls += a->calls;
	s->t[1].calls += b->calls;
}

static void add_one(struct split_sums *t, const struct work_item *i)
{
	if (work_item_is_known(i))
		add_other(&t->others, i);
	else
		add_unknown(t, i);
}

static void match(struct splitting *s)
{
	const struct work_side *a = s->side[0], *b = s->side[1];
	size_t i = 0, k = 0;

	while (i < a->n || k < b->n) {
		int c = i == a->n   ? 1
			: k == b->n ? -1
				    : work_item_compare(&a->item[i], &b->item[k]);

		if (c == 0 && work_item_is_known(&a->item[i])) {
			add_same(s, &a->item[i], &b->item[k]);
		} else {
			if (c <= 0)
				add_one(&s->t[0], &a->item[i]);
			if (c >= 0)
				add_one(&s->t[1], &b->item[k]);
		}
		i += c <= 0;
		k += c >= 0;
	}
}

/* What bounds most of the time; where that is not known of all, the other. */
static bool find_unit(const struct others *a, const struct others *b, enum work_unit *unit)
{
	bool flop = !isnan(a->flop) && !isnan(b->flop),
	     bytes = !isnan(a->bytes) && !isnan(b->bytes);
	bool by_bytes = 2 * (a->bytes_ns + b->bytes_ns) > a->ns + b->ns;

	*unit = by_bytes && bytes ? WORK_BYTES : flop ? WORK_FLOP : WORK_BYTES;
	return flop || bytes;
}

/* Calls that cost something else: false where nothing measures all of them. */
static bool add_others(struct splitting *s, struct worksplit *out)
{
	const struct others *o[2] = { &s->t[0].others, &s->t[1].others };
	const double ns[2] = { o[0]->ns, o[1]->ns };
	double work[2];

	if (o[0]->most && o[1]->most && !find_unit(o[0], o[1], &out->unit))
		return false;
	for (int i = 0; i < 2; i++) {
		work[i] = out->unit == WORK_FLOP ? o[i]->flop : o[i]->bytes;
		s->t[i].calls += o[i]->calls;
	}
	if (o[0]->most && o[1]->most)
		add_worth(s, work, ns);
	else
		for (int i = 0; i < 2; i++)
			s->t[i].worth += ns[i];
	out->base_dims = o[0]->most ? o[0]->most->dims : (struct span){ "", 0 };
	out->now_dims = o[1]->most ? o[1]->most->dims : (struct span){ "", 0 };
	return true;
}

static enum roof_reason reason(const struct splitting *s)
{
	const struct work_item *a = s->t[0].unknown_most, *b = s->t[1].unknown_most;

	if (!a && !b)
		return ROOF_WHY_KNOWN;
	return !a ? b->why : !b || a->ns >= b->ns ? a->why : b->why;
}

static void put_parts(const struct splitting *s, struct worksplit *out)
{
	const struct split_sums *a = &s->t[0], *b = &s->t[1];
	int64_t more = saturate_round(b->worth - a->worth);

	out->is_known = a->calls > 0 || b->calls > 0;
	out->calls = more;
	if (a->worth > 0 && b->worth > 0)
		out->calls =
			saturate_round(log_mean(a->worth, b->worth) * log(b->calls / a->calls));
	out->larger = saturate_sub(more, out->calls);
	out->unknown = saturate_round(b->unknown_ns - a->unknown_ns);
	if (!out->is_known) {
		out->unknown = out->delta;
		return;
	}
	out->slower = saturate_sub(saturate_sub(out->delta, more), out->unknown);
}

void worksplit_of(struct worksplit *out, const struct work_side *base, const struct work_side *now)
{
	struct splitting s = { .side = { base, now } };

	*out = (struct worksplit){ .delta = now->ns - base->ns, .why = ROOF_WHY_KNOWN };
	if (base->n == 0 || now->n == 0) {
		out->is_known = true;
		out->calls = out->delta;
		return;
	}
	match(&s);
	out->why = reason(&s);
	if (fabs(s.t[0].unknown_calls - s.t[1].unknown_calls) > SAME_CALLS) {
		out->unknown = out->delta;
		return;
	}
	if (!add_others(&s, out)) {
		out->why = s.t[0].others.most->why;
		out->unknown = out->delta;
		return;
	}
	put_parts(&s, out);
}

/* Work sums: costs of all traces are sorted by op, and neighbours of an op with the same arguments
 * and work are one. */

/* A cost of one trace. */
struct entry {
	const struct digest_cost *cost;
	const struct digest_work *work;
	size_t trace;
	struct work_item item;
};

ORDER(by_op, struct entry, span_cmp(a->work->op, b->work->op),
	work_item_compare(&a->item, &b->item), compare3(a->item.why, b->item.why),
	compare3(a->trace, b->trace))

/* Of each trace with device work something is known, and there is one. */
static bool is_known(const struct worksums *o)
{
	size_t known = 0, with_device = 0, k;

	for (size_t i = 0; i < o->ntrace; i++) {
		const struct digest *d = o->trace[i].digest;

		with_device += d->has_device;
		for (k = 0; k < d->ncost && !digest_cost_is_known(&d->cost[k]);)
			k++;
		known += k < d->ncost;
	}
	return with_device > 0 && known == with_device;
}

/* Of a mean per step over runs of means over their ranks. */
static double share(const struct worksums *o, size_t trace, int64_t v)
{
	return (double)v / (double)o->trace[trace].digest->nstep / (double)o->trace[trace].nrank /
		(double)o->nrun;
}

static struct entry *gather(struct worksums *o, size_t *n, struct arena *mem)
{
	struct entry *v;

	*n = 0;
	for (EACH(const struct side_trace, trace, o->trace, o->ntrace))
		*n += trace->digest->nstep > 0 ? trace->digest->ncost : 0;
	v = arena_array(mem, *n, sizeof(*v));
	*n = 0;
	for (size_t i = 0; i < o->ntrace; i++)
		for (size_t k = 0; o->trace[i].digest->nstep > 0 && k < o->trace[i].digest->ncost;
			k++) {
			const struct digest_cost *c = &o->trace[i].digest->cost[k];

			if (c->why == ROOF_WHY_COLLECTIVE)
				o->comm_ns += share(o, i, c->ns);
			if (c->calls == 0 || c->why == ROOF_WHY_COLLECTIVE)
				continue;
			v[(*n)++] = (struct entry){ c, &o->trace[i].digest->work[c->work], i,
				{ c->dims, c->flop, c->bytes, c->by_bytes, c->why,
					share(o, i, c->calls), share(o, i, c->ns) } };
		}
	sort_rows(v, *n, sizeof(*v), by_op);
	return v;
}

static void add_amount(struct work_amount *to, int64_t each, const struct work_item *item)
{
	if (each <= 0)
		return;
	to->v += (double)each * item->calls;
	to->ns += item->ns;
}

static void add_entry(struct worksum *op, const struct entry *e)
{
	struct work_item *item = (struct work_item *)op->does.item;
	struct work_item *last = op->does.n > 0 ? &item[op->does.n - 1] : NULL;

	if (last && work_item_compare(last, &e->item) == 0) {
		last->calls += e->item.calls;
		last->ns += e->item.ns;
	} else {
		item[op->does.n++] = e->item;
	}
	add_amount(&op->flop, e->item.flop, &e->item);
	add_amount(&op->bytes, e->item.bytes, &e->item);
	op->known_ns += work_item_is_known(&e->item) ? e->item.ns : 0;
	op->bytes_ns += work_item_is_known(&e->item) && e->item.by_bytes ? e->item.ns : 0;
	op->work[e->trace] = e->work;
	saturate_onto(&op->all_calls, e->cost->calls);
	saturate_onto(&op->ncalls[e->trace], e->cost->calls);
	saturate_onto(&op->ns[e->trace], e->cost->ns);
}

/* What there is per step in one run of the side; exact but for one rounding a trace. */
static double run_mean(const struct worksums *o, const int64_t *by_trace, size_t run)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < o->ntrace; i++) {
		if (o->trace[i].run != run)
			continue;
		n = o->trace[i].nrank;
		if (o->trace[i].digest->nstep > 0)
			sum += (double)by_trace[i] / (double)o->trace[i].digest->nstep;
	}
	return n > 0 ? sum / (double)n : 0;
}

static void finish(const struct worksums *o, struct worksum *op)
{
	double ns = 0;

	for (size_t i = 0; i < o->side->nrun; i++) {
		ns += run_mean(o, op->ns, i);
		op->calls += run_mean(o, op->ncalls, i);
	}
	op->does.ns = saturate_round(ns / (double)o->nrun);
	op->calls /= (double)o->nrun;
}

void worksums_init(struct worksums *o, const struct side *s, struct arena *mem)
{
	struct work_item *item;
	size_t n, i;

	*o = (struct worksums){ .side = s };
	o->trace = sides_traces(s, &o->ntrace, &o->nrun, mem);
	o->is_known = is_known(o);
	struct entry *e = gather(o, &n, mem);
	item = arena_array(mem, n, sizeof(*item));
	for (i = 0; i < n; i++)
		o->n += i == 0 || !span_eq(e[i].work->op, e[i - 1].work->op);
	o->v = arena_array(mem, o->n, sizeof(*o->v));
	for (o->n = 0, i = 0; i < n; i++) {
		if (i == 0 || !span_eq(e[i].work->op, e[i - 1].work->op))
			o->v[o->n++] = (struct worksum){ .op = e[i].work->op,
				.does.item = &item[i],
				.work = arena_array(mem, o->ntrace, sizeof(*o->v->work)),
				.ns = arena_array(mem, o->ntrace, sizeof(*o->v->ns)),
				.ncalls = arena_array(mem, o->ntrace, sizeof(*o->v->ncalls)) };
		add_entry(&o->v[o->n - 1], &e[i]);
	}
	for (i = 0; i < o->n; i++)
		finish(o, &o->v[i]);
}

/* A rank's time in an op by the job's steps; false: it has not kept them. */
static bool add_steps(const struct worksums *o, const struct worksum *op, size_t trace,
	const struct jobsteps *j, size_t rank, double *v)
{
	const struct digest_work *w = op->work[trace];

	if (!w)
		return true;
	if (!w->step_busy)
		return false;
	for (size_t i = 0; i < j->n; i++)
		v[i] += (double)w->step_busy[jobsteps_at(j, i, rank) -
				o->trace[trace].digest->step] /
			(double)j->nrank;
	return true;
}

bool worksums_sample(const struct worksums *o, const struct worksum *op, size_t at,
	struct metric_sample *x, struct arena *mem)
{
	const struct side_run *run = &o->side->run[at];
	size_t from = op ? (size_t)(op - o->v) : 0, to = op ? from + 1 : o->n, first = 0;
	struct jobsteps j;
	bool kept = true;

	jobsteps_init(&j, run, mem);
	*x = (struct metric_sample){ .run = run->name, .sd = NAN, .count = (int64_t)j.n };
	if (j.n == 0)
		return false;
	while (first < o->ntrace && o->trace[first].run != at)
		first++;
	x->v = arena_array(mem, j.n, sizeof(*x->v));
	for (size_t i = from; i < to; i++) {
		x->centre += run_mean(o, o->v[i].ns, at);
		for (size_t k = 0; k < j.nrank; k++)
			kept = add_steps(o, &o->v[i], first + k, &j, k, x->v) && kept;
	}
	x->mean = x->centre;
	x->n = kept ? j.n : 0;
	return true;
}

bool worksum_is_by_bytes(const struct worksum *a, const struct worksum *b)
{
	double bytes = (a ? a->bytes_ns : 0) + (b ? b->bytes_ns : 0);

	return 2 * bytes > (a ? a->known_ns : 0) + (b ? b->known_ns : 0);
}

bool worksum_is_steady(const struct worksums *o, const struct worksum *op)
{
	for (size_t i = 0; i < o->ntrace; i++) {
		int64_t steps = (int64_t)o->trace[i].digest->nstep;

		if (steps == 0 || op->ncalls[i] % steps != 0 ||
			op->ncalls[i] / steps != saturate_round(op->calls))
			return false;
	}
	return true;
}
