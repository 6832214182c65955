/*
 * The split of a change into work and speed, in integers that add up.
 */
#include "analyze/compare/worksplit.h"

#include <math.h>

#include "base/compare3.h"
#include "base/saturate.h"

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
struct tally {
	double calls, worth; /* of known ones: time at the mean prices of their work */
	double unknown_calls, unknown_ns;
	const struct work_item *unknown_most;
	struct others others;
};

struct splitting {
	const struct work_side *side[2];
	struct tally t[2];
};

int work_item_compare(const struct work_item *a, const struct work_item *b)
{
	return COMPARE_BY(span_cmp(a->dims, b->dims), compare3(a->flop, b->flop),
		compare3(a->bytes, b->bytes));
}

bool work_item_is_known(const struct work_item *a)
{
	return a->flop > 0 || a->bytes > 0;
}

static void add_unknown(struct tally *t, const struct work_item *i)
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

/* Work of both sides, in any unit, at the mean price of one; what takes no time has none. */
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

static void add_one(struct tally *t, const struct work_item *i)
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
	const struct tally *a = &s->t[0], *b = &s->t[1];
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
