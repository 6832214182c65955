/* The end of a series against its beginning. */
#include "analyze/stat/drift.h"

#include "analyze/stat/autocorr.h"
#include "analyze/stat/law.h"
#include "analyze/stat/welch.h"

/* The slope takes so much of alpha, as most of what comes bit by bit is seen by it first. */
static const double confidence = 0.95, slope_share = 0.5;
enum { NOT_OLDER = 5 };
static const size_t recents[] = { 5, 10, 20 };

/* The series, and what a test on it has to know. */
struct trial {
	const double *v;
	size_t n;
	const struct drift_options *o;
	double stretch; /* of standard errors: neighbours that are alike say less */
};

/* A rise that is significant with that share of alpha, and more than what never counts. */
static void take(
	struct drift *d, const struct trial *t, double share, double rise, double se, double df)
{
	if (isnan(rise) || isnan(se) || !(df > 0))
		return;
	se *= t->stretch;
	double p = se > 0 ? law_t_above(rise / se, df) : rise > 0 ? 0 : 1;
	double lo = rise - (se > 0 ? law_t_quantile(confidence, df) * se : 0);
	if (p >= t->o->alpha * share || !(lo > t->o->least))
		return;
	if (!d->is_found || p < d->p) {
		d->p = p;
		d->lo = lo;
	}
	d->is_found = true;
}

/* Of how many of recents the values are enough. */
static size_t levels_of(const struct trial *t)
{
	size_t older = t->o->reference ? t->o->reference : NOT_OLDER, k = 0;

	while (k < COUNT_OF(recents) && recents[k] + older <= t->n)
		k++;
	return k;
}

/* The last values against the first. */
static void try_levels(struct drift *d, const struct trial *t)
{
	size_t wanted = t->o->reference ? t->o->reference : DRIFT_REFERENCE;
	size_t tests = levels_of(t), n = t->n;
	const double *v = t->v;

	for (size_t i = 0; i < tests; i++) {
		size_t last = recents[i], first = MIN(wanted, n - last);
		struct moments a = welch_moments(v, first);
		struct moments b = welch_moments(v + n - last, last);
		struct welch w = welch_pooled(&a, &b, confidence);
		take(d, t, (1 - slope_share) / (double)tests, b.mean - a.mean, w.se, w.df);
	}
}

/* Sums of a series from the first value on. */
struct sums {
	double n, x, y, xx, xy, yy;
};

static void add(struct sums *s, double x, double y)
{
	s->n += 1;
	s->x += x;
	s->y += y;
	s->xx += x * x;
	s->xy += x * y;
	s->yy += y * y;
}

/* Slope of the least squares through what was summed up, and the squares it leaves. */
static double slope_of(const struct sums *s, double *rest)
{
	double sxx = s->xx - s->x * s->x / s->n, sxy = s->xy - s->x * s->y / s->n;
	double syy = s->yy - s->y * s->y / s->n, slope = sxx > 0 ? sxy / sxx : 0;

	*rest = syy - slope * sxy;
	if (*rest < 0)
		*rest = 0;
	return slope;
}

static void try_slope(struct drift *d, const struct trial *t)
{
	size_t n = MIN(t->n, DRIFT_MOST);
	const double *v = t->v + t->n - n;
	struct sums s = { 0 };
	double rest, steps = (double)(n - 1);

	for (size_t i = 0; i < n; i++)
		add(&s, (double)i, v[i] - v[0]);
	double slope = slope_of(&s, &rest);
	double se = sqrt(rest / (s.n - 2) / (s.xx - s.x * s.x / s.n));
	take(d, t, slope_share, slope * steps, se * steps, s.n - 2);
}

/* Flat before `at`, from there on rising by a slope: through all values. */
static double fit_creep(const double *v, size_t n, size_t at, double *slope, double *level)
{
	struct sums s = { 0 };
	double rest;

	for (size_t i = 0; i < n; i++)
		add(&s, i < at ? 0 : (double)(i - at + 1), v[i] - v[0]);
	*slope = slope_of(&s, &rest);
	*level = v[0] + (s.y - *slope * s.x) / s.n;
	return rest;
}

static void place(struct drift *d, const double *v, size_t n)
{
	double best = INFINITY;

	for (size_t at = 1; at < n; at++) {
		struct moments a = welch_moments(v, at), b = welch_moments(v + at, n - at);
		double slope, level;
		double rest = (at > 1 ? a.variance * (double)(at - 1) : 0) +
			(n - at > 1 ? b.variance * (double)(n - at - 1) : 0);

		if (b.mean > a.mean && rest < best) {
			best = rest;
			d->is_creep = false;
			d->since = at;
			d->from = a.mean;
			d->to = b.mean;
			d->slope = 0;
		}
		rest = fit_creep(v, n, at, &slope, &level);
		if (slope > 0 && rest < best) {
			best = rest;
			d->is_creep = true;
			d->since = at;
			d->from = level;
			d->to = level + slope * (double)(n - at);
			d->slope = slope;
		}
	}
	d->amount = d->to - d->from;
}

/* How much wider errors are where what is left of the fit goes up and down slowly. */
static double stretch_of(const struct drift *d, const double *v, size_t n)
{
	double rest[DRIFT_MOST];

	for (size_t i = 0; i < n; i++)
		rest[i] = v[i] -
			(i < d->since ? d->from
					: d->is_creep
					? d->from + d->slope * (double)(i - d->since + 1)
					: d->to);
	return sqrt(fmax(1, (double)n / autocorr_of(rest, n).n_eff));
}

struct drift drift_find(const double *v, size_t n, const struct drift_options *o)
{
	struct drift d = { .p = 1, .lo = NAN, .from = NAN, .to = NAN, .amount = NAN };
	size_t skipped = n > DRIFT_MOST ? n - DRIFT_MOST : 0;
	struct trial t = { v, n, o, 1 };

	if (n < DRIFT_LEAST)
		return d;
	try_levels(&d, &t);
	try_slope(&d, &t);
	if (!d.is_found)
		return d;
	place(&d, v + skipped, n - skipped);
	t.stretch = stretch_of(&d, v + skipped, n - skipped);
	d.is_found = false;
	try_levels(&d, &t);
	try_slope(&d, &t);
	d.since += skipped;
	return d;
}
