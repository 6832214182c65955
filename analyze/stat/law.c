/* Laws of probability. */
#include "analyze/stat/law.h"

#include <assert.h>

#include "base/base.h"

double law_normal_above(double z)
{
	return erfc(z / M_SQRT2) / 2;
}

/* A start that is right to a few per cent: Hastings 1955 (Abramowitz and Stegun 26.2.22). */
static double rough_upper(double p)
{
	double t = sqrt(-2 * log(p));

	return t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t));
}

double law_normal_quantile(double p)
{
	double tail = p < 0.5 ? p : 1 - p;

	assert(p >= 0 && p <= 1);
	if (tail <= 0)
		return p > 0.5 ? INFINITY : -INFINITY;
	if (tail >= 0.5)
		return 0;
	double z = rough_upper(tail);
	for (int i = 0; i < 6; i++) {
		double density = exp(-z * z / 2) / sqrt(2 * M_PI);

		z += (law_normal_above(z) - tail) / density;
	}
	return p < 0.5 ? -z : z;
}

/* The d-th coefficient of the fraction, d >= 1. */
static double coefficient(int d, double x, double a, double b)
{
	double m = floor(d / 2.0);

	if (d % 2)
		return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
	return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
}

static double away_from_0(double x)
{
	return fabs(x) < 1e-300 ? 1e-300 : x;
}

/* 1 / (1 + d1 / (1 + d2 / (1 + ...))) */
static double fraction(double x, double a, double b)
{
	double c = 1, d = 1 / away_from_0(1 + coefficient(1, x, a, b)), value = d;

	for (int i = 2; i < 4000; i++) {
		double k = coefficient(i, x, a, b);

		d = 1 / away_from_0(1 + k * d);
		c = away_from_0(1 + k / c);
		double change = c * d;
		value *= change;
		if (fabs(change - 1) < 1e-16)
			break;
	}
	return value;
}

double law_beta(double x, double a, double b)
{
	int sign;

	if (isnan(x) || isnan(a) || isnan(b))
		return NAN;
	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	double front = exp(lgamma_r(a + b, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) +
		a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * fraction(x, a, b) / a;
	return 1 - front * fraction(1 - x, b, a) / b;
}

double law_t_above(double t, double df)
{
	if (isnan(t) || isnan(df))
		return NAN;
	if (isinf(df) || df > 1e8)
		return law_normal_above(t);
	if (isinf(t))
		return t > 0 ? 0 : 1;
	double tail = law_beta(df / (df + t * t), df / 2, 0.5) / 2;
	return t > 0 ? tail : 1 - tail;
}

static double t_density(double t, double df)
{
	int sign;

	return exp(lgamma_r((df + 1) / 2, &sign) - lgamma_r(df / 2, &sign) - log(df * M_PI) / 2 -
		(df + 1) / 2 * log1p(t * t / df));
}

double law_t_quantile(double p, double df)
{
	double tail = p < 0.5 ? p : 1 - p;

	assert(p > 0 && p < 1);
	if (isnan(df) || df <= 0)
		return NAN;
	if (isinf(df) || df > 1e8)
		return law_normal_quantile(p);
	double t = -law_normal_quantile(tail);
	for (int i = 0; i < 1000 && t < 1e300; i++) { /* Newton's, from below: the tail is convex */
		double more = (law_t_above(t, df) - tail) / t_density(t, df);

		if (!(more > 1e-15 * t))
			break;
		t += more;
	}
	return p < 0.5 ? -t : t;
}
