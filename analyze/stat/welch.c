/* Tests on two means. */
#include "analyze/stat/welch.h"

#include "analyze/stat/law.h"

struct moments welch_moments(const double *v, size_t n)
{
	struct moments m = { n, NAN, NAN };
	double squares = 0, rest = 0;

	if (n == 0)
		return m;
	double sum = SUM(double, i, n, v[i]);
	m.mean = sum / (double)n;
	for (size_t i = 0; i < n; i++) {
		double d = v[i] - m.mean;

		squares += d * d;
		rest += d;
	}
	if (n > 1)
		m.variance = (squares - rest * rest / (double)n) / (double)(n - 1);
	if (m.variance < 0)
		m.variance = 0;
	return m;
}

double welch_cv(const struct moments *m)
{
	return m->mean != 0 ? sqrt(m->variance) / fabs(m->mean) : NAN;
}

/* t, p and the interval from difference, se and df. */
static void finish(struct welch *w, double confidence)
{
	if (isnan(w->se) || isnan(w->difference))
		return;
	if (w->se > 0)
		w->t = w->difference / w->se;
	else
		w->t = w->difference > 0 ? INFINITY : w->difference < 0 ? -INFINITY : 0;
	w->p = isinf(w->t) ? 0 : 2 * law_t_above(fabs(w->t), w->df);
	w->lo = w->hi = w->difference;
	if (w->se > 0) {
		double half = law_t_quantile((1 + confidence) / 2, w->df) * w->se;

		w->lo -= half;
		w->hi += half;
	}
}

struct welch welch_test(const struct moments *x, const struct moments *y, double confidence)
{
	struct welch w = { y->mean - x->mean, NAN, NAN, NAN, NAN, NAN, NAN };

	if (x->n < 2 || y->n < 2)
		return w;
	double a = x->variance / (double)x->n;
	double b = y->variance / (double)y->n;
	w.se = sqrt(a + b);
	w.df = a + b > 0
		? (a + b) * (a + b) / (a * a / (double)(x->n - 1) + b * b / (double)(y->n - 1))
		: (double)(x->n + y->n - 2);
	finish(&w, confidence);
	return w;
}

struct welch welch_pooled(const struct moments *x, const struct moments *y, double confidence)
{
	struct welch w = { y->mean - x->mean, NAN, NAN, NAN, NAN, NAN, NAN };
	double squares = 0;

	if (x->n == 0 || y->n == 0 || x->n + y->n < 3)
		return w;
	squares += x->n > 1 ? x->variance * (double)(x->n - 1) : 0;
	squares += y->n > 1 ? y->variance * (double)(y->n - 1) : 0;
	w.df = (double)(x->n + y->n - 2);
	w.se = sqrt(squares / w.df * (1 / (double)x->n + 1 / (double)y->n));
	finish(&w, confidence);
	return w;
}
