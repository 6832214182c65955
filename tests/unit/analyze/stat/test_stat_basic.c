/* Quantiles, laws, means, shares, trends: against published tables, R, NumPy and SciPy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/stat/autocorr.h"
#include "analyze/stat/kendall.h"
#include "analyze/stat/law.h"
#include "analyze/stat/line.h"
#include "analyze/stat/quantile.h"
#include "analyze/stat/welch.h"
#include "analyze/stat/wilson.h"
#include "base/arena.h"
#include "base/compiler.h"
#include "tests/unit/near.h"

/* numpy.percentile of 1..10 and 1..100 at 95 */
static void quantiles(void **state)
{
	double ten[10], hundred[100];
	size_t i;

	(void)state;
	for (i = 0; i < 100; i++)
		hundred[i] = (double)(i + 1);
	for (i = 0; i < 10; i++)
		ten[i] = (double)(10 - i);
	near(quantile_sorted(hundred, 100, 0.95), 95.05, 1e-15);
	near(quantile_select(ten, 10, 0.95), 9.55, 1e-15);
	quantile_sort(ten, 10);
	near(quantile_sorted(ten, 10, 0.95), 9.55, 1e-15);
	near(quantile_sorted(ten, 10, 1), 10, 0);
	near(quantile_sorted(ten, 0, 0.5), NAN, 0);
	near(quantile_select(ten, 1, 0.5), 1, 0);
}

/* What others call the 95th percentile of 1..10 and 1..100 are order statistics: rlhf-canary's
 * sorted[int(p (n - 1))], and the nearest rank, sorted[ceil(p n) - 1]. */
static void percentiles_of_others(void **state)
{
	static const struct {
		size_t n;
		double floor, nearest, ours;
	} cases[] = { { 10, 9, 10, 9.55 }, { 100, 95, 95, 95.05 } };
	double v[100];
	size_t i, k;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		double n = (double)cases[i].n;

		for (k = 0; k < cases[i].n; k++)
			v[k] = n - (double)k;
		near(quantile_nth(v, cases[i].n, (size_t)(0.95 * (n - 1))), cases[i].floor, 0);
		near(quantile_nth(v, cases[i].n, (size_t)ceil(0.95 * n) - 1), cases[i].nearest, 0);
		near(quantile_select(v, cases[i].n, 0.95), cases[i].ours, 1e-14);
	}
}

/* Selecting is sorting, for shapes that are bad for one pivot rule or another. */
static void select_is_sorting(void **state)
{
	static double v[700], sorted[700];
	unsigned long seed = 88172645463325252u;
	size_t n, i, k, shape;

	(void)state;
	for (shape = 0; shape < 4; shape++)
		for (n = 1; n < COUNT_OF(v); n = n * 3 + 1) {
			for (i = 0; i < n; i++)
				sorted[i] = shape == 0 ? near_random(&seed)
					: shape == 1   ? floor(near_random(&seed) * 3)
					: shape == 2   ? (double)(i < n / 2 ? i : n - i)
						       : 5;
			for (k = 0; k < n; k += n / 13 + 1) {
				double got;

				memcpy(v, sorted, sizeof(v));
				got = quantile_nth(v, n, k);
				quantile_sort(sorted, n);
				near(got, sorted[k], 0);
			}
		}
}

/* R: mad(c(1,1,2,2,4,6,9), constant = 1) is 1. */
static void spread(void **state)
{
	static const double v[] = { 1, 1, 2, 2, 4, 6, 9 }, level[] = { 5, 5, 5, 8 };
	SCOPED_ARENA mem = { 0 };

	(void)state;
	near(quantile_median(v, COUNT_OF(v), &mem), 2, 0);
	near(quantile_mad(v, COUNT_OF(v), 2, &mem), 1, 0);
	near(1.4826 * quantile_mad(v, COUNT_OF(v), 2, &mem), 1.4826, 0);
	near(quantile_modified_z_of(9, v, COUNT_OF(v), &mem), 0.6745 * 7, 1e-12);
	near(quantile_modified_z_of(2, v, COUNT_OF(v), &mem), 0, 0);
	/* MAD 0: mean absolute deviation 3/4 */
	near(quantile_modified_z_of(8, level, 4, &mem), 3 / (1.2533 * 0.75), 1e-12);
	near(quantile_modified_z_of(8, level, 3, &mem), 0, 0);
}

/* R: qnorm, pt, qt, pbeta */
static void laws(void **state)
{
	static const double p[] = { 1e-12, 1e-5, 0.001, 0.2, 0.5, 0.9, 0.999999 };
	size_t i;

	(void)state;
	near(law_normal_quantile(0.975), 1.959963984540054, 1e-14);
	near(law_normal_quantile(0.95), 1.6448536269514722, 1e-14);
	near(law_normal_quantile(0.0001), -3.719016485455709, 1e-14);
	near(law_normal_quantile(0), -INFINITY, 0);
	near(law_normal_quantile(1), INFINITY, 0);
	near(law_normal_above(1.96), 0.024997895148220435, 1e-12);
	near(law_t_quantile(0.975, 4), 2.7764451051977987, 1e-12);
	near(law_t_quantile(0.95, 1), 6.313751514675043, 1e-12);
	near(law_t_quantile(0.95, INFINITY), 1.6448536269514722, 1e-12);
	near(law_t_quantile(0.95, 9.794257), 1.816332226522718, 1e-9);
	near(law_t_above(2.7764451051977987, 4), 0.025, 1e-12);
	near(law_t_above(-1, 1), 0.75, 1e-12);
	near(law_t_above(40, 10), 1.1404288715e-12, 1e-6);
	near(law_beta(0.5, 2, 3), 0.6875, 1e-13);
	near(law_beta(0.2, 1, 1), 0.2, 1e-13);
	near(law_beta(0, 2, 3), 0, 0);
	near(law_beta(1, 2, 3), 1, 0);
	near(law_beta(0.999, 0.5, 20), 1, 1e-9);
	for (i = 0; i < COUNT_OF(p); i++) {
		near(1 - law_normal_above(law_normal_quantile(p[i])), p[i], 1e-4);
		near(law_t_above(-law_t_quantile(p[i], 3.5), 3.5), p[i], 1e-9);
	}
}

static struct welch welch(const double *x, size_t n, const double *y, size_t m)
{
	struct moments a = welch_moments(x, n), b = welch_moments(y, m);

	return welch_test(&a, &b, 0.95);
}

static const double sleep_1[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 };
static const double sleep_2[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 };
static const double steps_a[] = { 101.2, 100.8, 101.9, 100.5, 101.1, 101.4 };
static const double steps_b[] = { 108.3, 107.9, 108.8, 107.5, 109.0, 108.1 };

/* R: t.test */
static void welch_vectors(void **state)
{
	static const double x[] = { 2, 1, 3, 4 }, y[] = { 6, 5, 7, 9 };
	struct welch w = welch(y, 4, x, 4);
	struct moments a, b;
	double la[6], lb[6];
	size_t i;

	(void)state;
	near(w.t, -3.9703446, 1e-7);
	near(w.df, 5.5846154, 1e-7);
	near(w.p, 0.0085128631, 1e-8);
	a = welch_moments(y, 4);
	b = welch_moments(x, 4);
	near(welch_pooled(&a, &b, 0.95).p, 0.0073640592, 1e-8);
	w = welch(sleep_2, 10, sleep_1, 10);
	near(w.t, -1.8608135, 1e-7);
	near(w.df, 17.7764735, 1e-8);
	near(w.p, 0.0793941402, 1e-8);
	near(w.lo, -3.3654833, 1e-7);
	near(w.hi, 0.2054832, 1e-6);
	w = welch(steps_a, 6, steps_b, 6);
	near(w.t, 23.5127025, 1e-8);
	near(w.df, 9.794257, 1e-6);
	near(w.lo, 6.4403434, 1e-7);
	near(w.hi, 7.7929900, 1e-7);
	for (i = 0; i < 6; i++) {
		la[i] = log(steps_a[i]);
		lb[i] = log(steps_b[i]);
	}
	w = welch(la, 6, lb, 6);
	near(exp(w.difference), 1.0703558, 1e-7);
	near(exp(w.lo), 1.0635023, 1e-7);
	near(exp(w.hi), 1.0772535, 1e-7);
}

/* What does not vary has no spread, and what is not there is unknown. */
static void welch_edges(void **state)
{
	static const double level[] = { 5, 5, 5 }, other[] = { 6, 6, 6 }, one[] = { 7 };
	struct moments a = welch_moments(level, 3), b = welch_moments(other, 3), c, none;

	(void)state;
	c = welch_moments(one, 1);
	none = welch_moments(one, 0);
	near(a.variance, 0, 0);
	near(welch_cv(&a), 0, 0);
	assert_true(isnan(welch_cv(&c)));
	assert_true(isnan(none.mean));
	near(welch_test(&a, &a, 0.95).p, 1, 0);
	near(welch_test(&a, &b, 0.95).p, 0, 0);
	near(welch_test(&a, &b, 0.95).t, INFINITY, 0);
	assert_true(isnan(welch_test(&a, &c, 0.95).p));
	near(welch_pooled(&a, &c, 0.95).df, 2, 0);
	near(welch_pooled(&a, &c, 0.95).p, 0, 0);
	assert_true(isnan(welch_pooled(&c, &c, 0.95).p));
}

/* Hollander and Wolfe 1973, page 187; R: cor.test(method = "kendall") */
static void kendall_tuna(void **state)
{
	static const double x[] = { 44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1 };
	static const double y[] = { 2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8 };
	static const double tied[] = { 1, 1, 2, 2, 3, 3, 3, 4, 5 };
	struct kendall k;
	SCOPED_ARENA mem = { 0 };

	(void)state;
	k = kendall_test(x, y, 9, &mem);
	near((36 + k.score) / 2, 26, 0);
	near(k.tau, 0.4444444, 1e-6);
	near(k.p, 0.1194389, 1e-6);
	assert_true(k.is_exact);
	/* tau-b: 7 over sqrt((36 - 5) 36) */
	k = kendall_test(tied, y, 9, &mem);
	assert_false(k.is_exact);
	near(k.score, 7, 0);
	near(k.tau, 0.20953951903123735, 1e-9);
	near(kendall_test(x, x, 1, &mem).p, NAN, 0);
	near(kendall_test(tied, tied, 2, &mem).p, 1, 0);
}

static const double trend_y[] = { 10.50, 10.52, 10.51, 10.55, 10.58, 10.57, 10.61, 10.64, 10.66,
	10.67 };

/* SciPy: theilslopes, kendalltau; the trend by hand */
static void theil_sen_and_mann_kendall(void **state)
{
	double x[10];
	struct theilsen t;
	struct kendall k;
	SCOPED_ARENA mem = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < 10; i++)
		x[i] = 100 * (double)i;
	t = theilsen_fit(x, trend_y, 10, 0.95, &mem);
	near(t.slope, 2.0e-4, 1e-9);
	near(t.lo, 1.8e-4, 1e-9);
	near(t.hi, 2.5e-4, 1e-9);
	near(t.intercept, 10.485, 1e-12);
	k = kendall_trend(trend_y, 10, &mem);
	near(k.score, 41, 0);
	near(k.variance, 125, 1e-12);
	near(k.z, 3.5777088, 1e-7);
	near(k.p_normal, 0.00034662, 1e-5);
	near(k.tau, 0.9111111, 1e-6);
	near(line_fit(x, trend_y, 10).slope, 2.0181818e-4, 1e-7); /* least squares */
}

/* More points than are taken are thinned; a straight line stays what it is, with one wild point. */
static void theil_sen_of_many(void **state)
{
	static double x[50000], y[50000];
	struct theilsen t;
	SCOPED_ARENA mem = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(x); i++) {
		x[i] = (double)i;
		y[i] = 3 + 0.25 * x[i];
	}
	y[777] = 1e12;
	t = theilsen_fit(x, y, COUNT_OF(x), 0.95, &mem);
	assert_int_equal(t.n, THEILSEN_MAX);
	near(t.slope, 0.25, 1e-9);
	assert_true(isnan(theilsen_fit(x, y, 1, 0.95, &mem).slope));
	x[1] = x[0]; /* no pair of different x */
	assert_true(isnan(theilsen_fit(x, y, 2, 0.95, &mem).slope));
	t = theilsen_fit(x, y, 3, 0.95, &mem);
	assert_true(isinf(t.lo) && isinf(t.hi));
}

/* Brown, Cai and DasGupta 2001: 0 of 10 and 5 of 10 */
static void wilson(void **state)
{
	struct interval_real w = wilson_interval(0, 10, 0.95);

	(void)state;
	near(w.lo, 0, 0);
	near(w.hi, 0.2775327998628892, 1e-10);
	w = wilson_interval(5, 10, 0.95);
	near(w.lo, 0.2365930904908909, 1e-9);
	near(w.hi, 0.7634069095091091, 1e-9);
	assert_true(isnan(wilson_interval(0, 0, 0.95).lo));
}

/* AR(1) with 0.6: tau is 4; white noise: about 1 */
static void autocorrelation(void **state)
{
	static double v[20000];
	unsigned long seed = 88172645463325252u;
	struct autocorr a;
	size_t i;

	(void)state;
	for (i = 1; i < COUNT_OF(v); i++)
		v[i] = 0.6 * v[i - 1] + near_random(&seed) - 0.5;
	a = autocorr_of(v, COUNT_OF(v));
	near(a.rho, 0.6, 0.03);
	near(a.tau, 4, 0.1);
	near(a.n_eff, 5000, 0.1);
	for (i = 0; i < COUNT_OF(v); i++)
		v[i] = near_random(&seed);
	near(autocorr_of(v, COUNT_OF(v)).tau, 1, 0.15);
	for (i = 0; i < 10; i++)
		v[i] = 0.1;
	near(autocorr_of(v, 10).tau, 1, 0);
	assert_true(isnan(autocorr_of(v, 10).rho));
	assert_int_equal(autocorr_block(0, 1000), 1);
	assert_int_equal(autocorr_block(NAN, 1000), 1);
	/* (2 0.6 / 0.64)^(2/3) = 1.5206; 1.1447 * 1.5206 * 10 = 17.4 */
	assert_int_equal(autocorr_block(0.6, 1000), 18);
	assert_int_equal(autocorr_block(0.99, 40), 10);
	assert_int_equal(autocorr_block(1, 40), 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles),
		cmocka_unit_test(percentiles_of_others),
		cmocka_unit_test(select_is_sorting),
		cmocka_unit_test(spread),
		cmocka_unit_test(laws),
		cmocka_unit_test(welch_vectors),
		cmocka_unit_test(welch_edges),
		cmocka_unit_test(kendall_tuna),
		cmocka_unit_test(theil_sen_and_mann_kendall),
		cmocka_unit_test(theil_sen_of_many),
		cmocka_unit_test(wilson),
		cmocka_unit_test(autocorrelation),
	};

	return cmocka_run_group_tests_name("stat_basic", tests, NULL, NULL);
}
