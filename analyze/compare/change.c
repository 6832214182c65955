/* Changes: samples to the scale of the comparison, and its answer back. */
#include "analyze/compare/change.h"

#include "analyze/compare/metricset.h"
#include "analyze/stat/autocorr.h"
#include "analyze/stat/changepoint.h"
#include "analyze/stat/law.h"
#include "analyze/stat/quantile.h"
#include "analyze/stat/welch.h"

/* Logarithms of the same count differ by less, those of one more by more. */
static const double EXACT = 1e-12;

/* Fewer values than this do not show their quartiles. */
enum { ROBUST_LEAST = 10 };

/* The scale on which runs are compared. */
struct scale {
	bool is_log;
	bool is_points; /* shares, whose difference is looked at */
	bool is_mean;   /* runs' figures are means of their values, or */
	bool is_median;
	double sign; /* -1 where more is better, so that worse is larger */
};

static bool all_positive(const struct metric *m)
{
	return ALL(i, m->n, m->sample[i].centre > 0);
}

/* The error of a mean, as a ratio of it: a step ten times as long is no logarithm of ten off. */
static double within_mean(const struct metric_sample *x)
{
	struct moments m = welch_moments(x->v, x->n);

	return m.variance / (m.mean * m.mean) / autocorr_of(x->v, x->n).n_eff;
}

/* Takes from shares of the usual what each stretch of them has as its level, where that changes by
 * a fifth of the usual or more, and stays: such a change is no noise of neighbours, which a longer
 * run would have averaged out, but something that happened, and is in the figure. */
static void take_levels(double *share, size_t n, struct arena *mem)
{
	static const struct changepoint_options lasting = { 60, 1e-4, 0.2 };
	struct arena_mark mark = arena_mark(mem);
	double *of_usual = arena_array(mem, n, sizeof(*of_usual));
	size_t many, from = 0;

	for (size_t i = 0; i < n; i++)
		of_usual[i] = 1 + share[i];
	const struct changepoint *point = changepoint_find(of_usual, n, &lasting, &many, mem);
	for (size_t k = 0; many > 0 && k <= many; k++) {
		size_t to = k < many ? point[k].at : n;
		double level = welch_moments(share + from, to - from).mean;

		for (; from < to; from++)
			share[from] -= level;
	}
	arena_reset(mem, mark);
}

/* Variance of the values around their middle, as what is between the quartiles says it where that
 * is less: the figure is their median, so one step of twenty that took ten times as long moves
 * neither.  v is sorted.  1.349: quartiles of a normal law, 1.2533: error of a median over that of
 * a mean. */
static double spread_of(double *v, size_t n)
{
	static const double quartiles = 1.349, median = 1.2533;
	double all = welch_moments(v, n).variance;

	if (n < ROBUST_LEAST)
		return all;
	quantile_sort(v, n);
	double sd = (quantile_sorted(v, n, 0.75) - quantile_sorted(v, n, 0.25)) / quartiles;
	double robust = median * median * sd * sd;
	return MIN(robust, all);
}

/* Variance of a run's figure as its own values show it; NaN when they do not. */
static double within(const struct metric_sample *x, const struct scale *s, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	double variance = NAN;

	if (x->n >= 2 && s->is_log && s->is_mean) {
		variance = within_mean(x);
	} else if (x->n >= 2 && (!s->is_log || ALL(i, x->n, x->v[i] > 0))) {
		double *v = arena_array(mem, x->n, sizeof(*v));

		for (size_t i = 0; i < x->n; i++)
			v[i] = s->is_log ? log(x->v[i]) : x->v[i];
		if (s->is_points)
			take_levels(v, x->n, mem);
		double n_eff = autocorr_of(v, x->n).n_eff;
		variance = (s->is_median ? spread_of(v, x->n) : welch_moments(v, x->n).variance) /
			n_eff;
	} else if (x->n == 0 && x->count > 1 && !isnan(x->sd)) {
		double sd = s->is_log ? x->sd / x->centre : x->sd;

		variance = sd * sd / (double)x->count;
	}
	arena_reset(mem, mark);
	return variance;
}

static struct decide_side side_of(const struct metric *m, const struct scale *s, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	double *value = arena_array(mem, m->n, sizeof(*value));
	double *inside = arena_array(mem, m->n, sizeof(*inside));

	for (size_t i = 0; i < m->n; i++) {
		double centre = m->sample[i].centre;

		value[i] = s->sign * (s->is_log ? log(centre) : centre);
		inside[i] = within(&m->sample[i], s, mem);
	}
	struct decide_side side = decide_side_of(value, inside, m->n);
	arena_reset(mem, mark);
	return side;
}

/* Too few values for anything but the estimate. */
static bool is_thin(const struct metric *m)
{
	const struct metric_sample *x = m->sample;

	return m->n == 1 && (x->n > 0 || x->count != 1) && x->count < CHANGE_STEPS_MIN;
}

static bool is_steady(const struct metric *m)
{
	for (size_t i = 1; i < m->n; i++)
		if (m->sample[i].centre != m->sample[0].centre)
			return false;
	return true;
}

/* A bound of the comparison as people read it: ratio or difference, in the metric's direction. */
static double plain(const struct scale *s, double bound)
{
	return s->is_log ? expm1(s->sign * bound) : s->sign * bound;
}

/* On the scale of the comparison: a third more and a third less are not the same logarithm. */
static double tolerance_of(
	const struct change *c, const struct scale *s, const struct change_options *o)
{
	double share = o->tolerance;

	if (!s->is_log)
		return MAX(o->floor, share);
	if (o->floor > 0 && o->floor / c->base > share)
		share = o->floor / c->base;
	if (s->sign * c->change.estimate >= 0)
		return log1p(share);
	return share < 1 ? -log1p(-share) : INFINITY;
}

static void judge_change(struct change *c, const struct scale *s, const struct change_options *o)
{
	c->tolerance = tolerance_of(c, s, o);
	c->answer = decide(&c->change, c->tolerance, o->confidence, o->on_estimate || c->is_exact);
	double a = plain(s, c->answer.lo);
	double b = plain(s, c->answer.hi);
	c->lo = MIN(a, b);
	c->hi = MAX(b, a);
	if (c->change.se > 0)
		c->p = 2 * law_t_above(fabs(c->change.estimate) / c->change.se, c->change.df);
}

/* Values behind a figure of a run in the middle; 0: unknown. */
static double usual_count(const struct metric *m, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	double *v = arena_array(mem, m->n, sizeof(*v)), count = 0;
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		if (m->sample[i].count > 0)
			v[n++] = (double)m->sample[i].count;
	if (n > 0)
		count = quantile_median(v, n, mem);
	arena_reset(mem, mark);
	return count;
}

/* A shorter run varies more: at most as its values alone would make it. */
static double shortness(const struct metric *base, const struct metric *now, struct arena *mem)
{
	double a = usual_count(base, mem), b = usual_count(now, mem);

	return a > 0 && b > 0 && b < a ? a / b : 1;
}

void change_of(struct change *c, const struct metric *base, const struct metric *now,
	const struct change_options *o, struct arena *mem)
{
	struct scale s = { .sign = 1 };

	*c = (struct change){ .lo = NAN, .hi = NAN, .p = NAN };
	c->base = base ? metric_centre(base) : NAN;
	c->now = now ? metric_centre(now) : NAN;
	c->delta = c->now - c->base;
	c->ratio = c->base != 0 ? c->delta / fabs(c->base) : NAN;
	c->answer = (struct decide_answer){ DECISION_SKIP, false, NAN, NAN, NAN, DECIDED_UNKNOWN };
	if (!base || !now || base->n == 0 || now->n == 0)
		return;
	s.is_log = !base->is_points && all_positive(base) && all_positive(now);
	s.is_points = base->is_points;
	s.is_mean = base->is_mean;
	s.is_median = base->unit == UNIT_NS && !base->is_mean;
	s.sign = base->better == BETTER_HIGHER ? -1 : 1;
	c->is_difference = !s.is_log;
	c->is_exact = base->is_exact && is_steady(base) && is_steady(now);
	struct decide_side a = side_of(base, &s, mem);
	struct decide_side b = side_of(now, &s, mem);
	if (c->is_exact)
		a.within = b.within = 0;
	if (o->noise_df > 0 && !c->is_exact)
		c->change = decide_change_known(
			&a, &b, o->noise, o->noise_df, shortness(base, now, mem));
	else
		c->change = decide_change_of(&a, &b, c->is_exact ? 0 : o->noise, INFINITY);
	if (s.is_log && s.is_mean) /* the interval is that of the means, not of their logarithms' */
		c->change.estimate = s.sign * log(c->now / c->base);
	if (c->is_exact && fabs(c->change.estimate) < EXACT)
		c->change.estimate = 0;
	c->is_few = (is_thin(base) || is_thin(now)) && !c->is_exact;
	if (c->is_few && !o->on_estimate && !o->judges_few)
		return;
	judge_change(c, &s, o);
}

const char *change_verdict(const struct change *c)
{
	return decide_verdict_word(c->answer.verdict);
}
