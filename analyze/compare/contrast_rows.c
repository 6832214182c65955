/*
 * Contrasts: rows of both sides matched by what they are known by, split into effects, and tested.
 */
#include <math.h>
#include <stdlib.h>

#include "analyze/compare/contrast.h"
#include "analyze/compare/digest.h"
#include "analyze/compare/sides.h"
#include "analyze/stat/bh.h"
#include "analyze/stat/law.h"
#include "analyze/stat/mannwhitney.h"
#include "analyze/stat/welch.h"
#include "base/saturate.h"

/* Rows below this share of the step on both sides are not tested: noise, and many of them. */
static const double TESTED_SHARE = 0.005;
enum { STEPS_MIN = 4 }; /* with fewer no rank test reaches 0.05 */

const char *contrast_status_word(enum contrast_status s)
{
#define X(name, word) word,
	static const char *const words[] = { CONTRAST_STATUSES(X) };
#undef X

	return words[s];
}

/* Nearest integer; half away from zero. */
static int64_t per_step(int64_t ns, size_t steps)
{
	int64_t n = (int64_t)steps, rest = ns % n;

	return ns / n + (2 * rest >= n) - (2 * rest <= -n);
}

static void add_row(struct contrast_rows *r, const struct opsum *base, const struct opsum *now)
{
	struct contrast_row *row = &r->v[r->n];

	/* What only ran outside of the counted steps is no row. */
	if ((!base || base->calls == 0) && (!now || now->calls == 0))
		return;
	*row = (struct contrast_row){ .key = base ? base->key : now->key,
		.base = base,
		.now = now,
		.p = NAN,
		.q = NAN,
		.partner = SIZE_MAX };
	if (base) {
		row->base_ns = per_step(base->ns, r->base.nstep);
		row->base_calls = (double)base->calls / (double)r->base.nstep;
	}
	if (now) {
		row->now_ns = per_step(now->ns, r->now.nstep);
		row->now_calls = (double)now->calls / (double)r->now.nstep;
	}
	row->a = attribution_split(row->base_ns, row->base_calls, row->now_ns, row->now_calls);
	saturate_onto(&r->base_sum, row->base_ns);
	saturate_onto(&r->now_sum, row->now_ns);
	saturate_onto(&r->change_sum, llabs(row->a.delta));
	r->n++;
}

static void match(struct contrast_rows *r)
{
	size_t i = 0, k = 0;

	while (i < r->base.n || k < r->now.n) {
		const struct opsum *a = i < r->base.n ? &r->base.v[i] : NULL;
		const struct opsum *b = k < r->now.n ? &r->now.v[k] : NULL;
		int c = !a ? 1 : !b ? -1 : opsum_compare(&a->key, &b->key);

		add_row(r, c <= 0 ? a : NULL, c >= 0 ? b : NULL);
		i += c <= 0;
		k += c >= 0;
	}
}

/* One shape of a row, for sorting. */
struct shape {
	struct span dims;
	struct attribution_shape s;
};

static int by_dims(const void *pa, const void *pb)
{
	return span_cmp(((const struct shape *)pa)->dims, ((const struct shape *)pb)->dims);
}

static size_t shapes_of(const struct opsum *row)
{
	size_t i, n = 0;

	for (i = 0; i < row->nitem; i++)
		n += row->item[i].shape ? 0 : row->item[i].op->nshape;
	return n;
}

static size_t put_shapes(struct shape *out, const struct opsum *row, size_t steps, bool is_now)
{
	size_t i, k, n = 0;

	for (i = 0; i < row->nitem; i++) {
		const struct digest_op *op = row->item[i].op;

		for (k = 0; !row->item[i].shape && k < op->nshape; k++) {
			double ns = (double)op->shape[k].ns / (double)steps;
			double calls = (double)op->shape[k].calls / (double)steps;

			out[n++] = is_now
				? (struct shape){ op->shape[k].dims, { 0, 0, ns, calls } }
				: (struct shape){ op->shape[k].dims, { ns, calls, 0, 0 } };
		}
	}
	return n;
}

static bool shapes_differ(const struct attribution_shape *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (fabs(s[i].base_calls - s[i].now_calls) > 1e-9)
			return true;
	return false;
}

/* How much of by_duration is other shapes. */
static void split_shapes(struct contrast_rows *r, struct contrast_row *row, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	size_t nbase = shapes_of(row->base), nnow = shapes_of(row->now), n, i, distinct = 0;
	struct shape *v = arena_array(mem, nbase + nnow, sizeof(*v));
	struct attribution_shape *s = arena_array(mem, nbase + nnow, sizeof(*s));

	if (nbase > 0 && nnow > 0) {
		n = put_shapes(v, row->base, r->base.nstep, false);
		n += put_shapes(v + n, row->now, r->now.nstep, true);
		qsort(v, n, sizeof(*v), by_dims);
		for (i = 0; i < n; i++) {
			if (i == 0 || !span_eq(v[i].dims, v[i - 1].dims))
				distinct++;
			s[distinct - 1].base_ns += v[i].s.base_ns;
			s[distinct - 1].base_calls += v[i].s.base_calls;
			s[distinct - 1].now_ns += v[i].s.now_ns;
			s[distinct - 1].now_calls += v[i].s.now_calls;
		}
		row->has_mix = shapes_differ(s, distinct);
		if (row->has_mix)
			row->mix = row->a.by_duration - attribution_same_shape(s, distinct);
	}
	arena_reset(mem, mark);
}

/* p of no difference in the row's time; NaN when there are too few samples. */
static double test(const struct contrast *c, const struct contrast_row *row, double *a, double *b,
	struct arena *mem)
{
	bool per_run = c->base->nrun >= DECIDE_MEASURED && c->now->nrun >= DECIDE_MEASURED;
	size_t n = opsum_values(row->base, c->base, per_run, a, mem);
	size_t m = opsum_values(row->now, c->now, per_run, b, mem);

	if (per_run && n >= DECIDE_MEASURED && m >= DECIDE_MEASURED) {
		struct moments x = welch_moments(a, n), y = welch_moments(b, m);

		return welch_test(&x, &y, 0.95).p;
	}
	if (per_run || n < STEPS_MIN || m < STEPS_MIN)
		return NAN;
	return mannwhitney_test(a, n, b, m, mem).p;
}

/* Beyond what runs of the same code differ by, or called more or less often. */
static bool beyond_noise(const struct contrast *c, const struct contrast_row *row)
{
	double runs = 1.0 / (double)c->base->nrun + 1.0 / (double)c->now->nrun;
	double ratio = (double)row->now_ns / (double)row->base_ns;

	if (fabs(row->base_calls - row->now_calls) > 1e-9)
		return true;
	return row->base_ns <= 0 || row->now_ns <= 0 ||
		fabs(log(ratio)) > -law_normal_quantile(0.05) * c->o.noise * sqrt(runs);
}

static void set_status(const struct contrast *c, struct contrast_row *row)
{
	bool same_calls = fabs(row->base_calls - row->now_calls) <= 1e-9;

	if (!row->base || row->base->calls == 0)
		row->status = CONTRAST_NEW;
	else if (!row->now || row->now->calls == 0)
		row->status = CONTRAST_REMOVED;
	else if (row->a.delta == 0 && same_calls)
		row->status = CONTRAST_SAME;
	else if (isnan(row->q))
		row->status = CONTRAST_UNTESTED;
	else
		row->status = row->q <= c->o.alpha && beyond_noise(c, row) ? CONTRAST_CHANGED
									   : CONTRAST_NOISE;
}

static void test_rows(struct contrast *c, struct contrast_rows *r)
{
	struct arena_mark mark = arena_mark(c->mem);
	double *a = arena_array(c->mem, sides_steps(c->base), sizeof(*a));
	double *b = arena_array(c->mem, sides_steps(c->now), sizeof(*b));
	double *p = arena_array(c->mem, r->n, sizeof(*p)),
	       *q = arena_array(c->mem, r->n, sizeof(*q));
	size_t i;

	for (i = 0; i < r->n; i++) {
		struct contrast_row *row = &r->v[i];
		bool large = (double)row->base_ns >= TESTED_SHARE * (double)c->ledger.base ||
			(double)row->now_ns >= TESTED_SHARE * (double)c->ledger.now;
		bool both = row->base && row->now && row->base->calls && row->now->calls;

		p[i] = large && both ? test(c, row, a, b, c->mem) : NAN;
	}
	bh_adjust(p, r->n, q, c->mem);
	for (i = 0; i < r->n; i++) {
		r->v[i].p = p[i];
		r->v[i].q = q[i];
		set_status(c, &r->v[i]);
	}
	arena_reset(c->mem, mark);
}

void contrast_find_rows(struct contrast *c, struct contrast_rows *r, bool host)
{
	size_t i;

	opsums_init(&r->base, c->base, host, c->o.by, c->mem);
	opsums_init(&r->now, c->now, host, c->o.by, c->mem);
	r->v = arena_array(c->mem, r->base.n + r->now.n, sizeof(*r->v));
	if (r->base.nstep == 0 || r->now.nstep == 0)
		return;
	match(r);
	for (i = 0; i < r->n; i++)
		if (r->v[i].base && r->v[i].now)
			split_shapes(r, &r->v[i], c->mem);
	test_rows(c, r);
	contrast_pair(r, c->mem);
}
