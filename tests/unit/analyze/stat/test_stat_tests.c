/*
 * Tests on two samples, resampling and many tests at once: against published tables and R.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/stat/bh.h"
#include "analyze/stat/bootstrap.h"
#include "analyze/stat/hodgeslehmann.h"
#include "analyze/stat/mannwhitney.h"
#include "analyze/stat/permutation.h"
#include "analyze/stat/rng.h"
#include "analyze/stat/signedrank.h"
#include "base/arena.h"
#include "base/compiler.h"
#include "tests/unit/near.h"

#define MWU(x, y, mem) mannwhitney_test((x), COUNT_OF(x), (y), COUNT_OF(y), (mem))

static int setup(void **state)
{
	*state = calloc(1, sizeof(struct arena));
	arena_init(*state);
	return 0;
}

static int teardown(void **state)
{
	arena_clear(*state);
	free(*state);
	return 0;
}

static const double few[] = { 2, 1, 3, 5 };

/* Go's x/perf and R; the tied two-sided p by enumeration: 2 / 21, not 0 */
static void mwu_small(void **state)
{
	static const double above[] = { 12, 11, 13, 15 }, mixed[] = { 0, 4, 6, 7 };
	static const double twos[] = { 2, 2, 2, 2 }, ones[] = { 1, 1, 1, 1, 1 };
	struct mannwhitney w = MWU(few, above, *state);

	near(w.u, 0, 0);
	near(w.p, 0.0285714286, 1e-9);
	near(w.larger, 1, 0);
	w = MWU(few, mixed, *state);
	near(w.u, 5, 0);
	near(w.p, 0.4857142857, 1e-9);
	near(w.less, 0.2428571429, 1e-9);
	near(w.greater, 0.8285714286, 1e-9);
	w = MWU(few, twos, *state);
	near(w.u, 10, 0);
	near(w.p, 0.7142857143, 1e-9);
	w = MWU(few, ones, *state);
	near(w.u, 17.5, 0);
	near(w.greater, 1.0 / 21, 1e-12);
	near(w.p, 0.0952380952, 1e-9);
	assert_true(w.is_exact);
	w = MWU(twos, twos, *state);
	assert_true(w.all_equal);
	near(w.p, 1, 0);
	assert_true(isnan(mannwhitney_test(few, 0, twos, 4, *state).p));
}

/* Mann and Whitney 1947, table for 5 and 5; Klotz 1966, table 1 */
static void mwu_laws(void **state)
{
	static const double plain[] = { .003968, .007937, .015873, .027778, .047619, .075397 };
	static const size_t t[] = { 1, 1, 2, 1, 1, 2, 1, 1 };
	static const struct {
		double u, p;
	} tied[] = { { 0, .003968 }, { 1, .007937 }, { 2.5, .023810 }, { 4, .047619 },
		{ 5, .071429 }, { 5.5, .087302 }, { 6.5, .134921 }, { 7, .138889 } };
	size_t i;

	for (i = 0; i < COUNT_OF(plain); i++)
		near(mannwhitney_below(i, 5, 5, *state), plain[i], 1e-3);
	for (i = 0; i < COUNT_OF(tied); i++)
		near(mannwhitney_below_tied(tied[i].u, t, COUNT_OF(t), 5, *state), tied[i].p, 1e-4);
}

/* R: qwilcox(0.025, n, n), and the smallest two-sided p, 2 / choose(2 n, n) */
static void mwu_quantiles(void **state)
{
	static const size_t q[] = { 0, 1, 3, 6, 9, 14, 18, 24, 31, 38 };
	static const double least[] = { .1, .0285714, .0079365, .0021645, .00058275, .00015540 };
	size_t i;

	for (i = 0; i < COUNT_OF(q); i++)
		assert_int_equal(mannwhitney_quantile(0.025, i + 3, i + 3, *state), q[i]);
	for (i = 0; i < COUNT_OF(least); i++)
		near(2 * mannwhitney_below(0, i + 3, i + 3, *state), least[i], 1e-4);
}

/* Go's x/perf = R: 500 even numbers below 1000 against 2 i - 41 */
static void mwu_normal(void **state)
{
	static double x[500], y[600];
	struct mannwhitney w;
	size_t i;

	for (i = 0; i < 500; i++)
		x[i] = 2 * (double)i;
	for (i = 0; i < 600; i++)
		y[i] = 2 * (double)i - 41;
	w = MWU(x, y, *state);
	near(w.u, 135250, 0);
	near(w.p, .0049335361, 1e-8);
	assert_false(w.is_exact);
}

/* Hollander and Wolfe 1973, page 69, as R's ?wilcox.test has it */
static void mwu_and_shift(void **state)
{
	static const double x[] = { .80, .83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, .73, 1.46 };
	static const double y[] = { 1.15, .88, .90, .74, 1.21 };
	struct mannwhitney w = MWU(x, y, *state);
	struct hodgeslehmann h = hodgeslehmann_shift(y, 5, x, 10, 0.95, *state);

	near(w.u, 35, 0);
	near(w.greater, .1272061272, 1e-9);
	near(w.p, .2544122544, 1e-9);
	near(h.shift, .305, 1e-9);
	near(h.lo, -.15, 1e-9);
	near(h.hi, .76, 1e-9);
	w = mannwhitney_normal(x, 10, y, 5, true, *state);
	near(w.p, .2446236, 1e-6);
	assert_false(w.is_exact);
	near(mannwhitney_normal(x, 10, y, 5, false, *state).p, .2206714, 1e-6);
}

/* R: sleep; exact p by enumeration */
static void mwu_sleep(void **state)
{
	static const double a[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 };
	static const double b[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 };
	struct mannwhitney w = MWU(a, b, *state);

	near(w.u, 25.5, 0);
	near(w.p, .0658165364, 1e-8);
	near(mannwhitney_normal(a, 10, b, 10, true, *state).p, .0693275754, 1e-9);
	near(mannwhitney_normal(a, 0, b, 10, true, *state).p, NAN, 0);
	assert_true(mannwhitney_normal(few + 1, 1, few + 1, 1, true, *state).all_equal);
}

/* The normal law with ties, where the exact one is too large: R's corrected p for sleep, by copies
 */
static void mwu_normal_ties(void **state)
{
	double x[40], y[40];
	struct mannwhitney w;
	size_t i;

	for (i = 0; i < 40; i++) {
		x[i] = (double)(i % 4);
		y[i] = (double)(i % 4 + 1);
	}
	w = MWU(x, y, *state);
	/* 3 of 16 kinds of pairs above, 3 equal: U = 100 (3 + 3 / 2); ties of 10, 20, 20, 20, 10 */
	near(w.u, 450, 0);
	near(w.p,
		erfc((800 - 450 - 0.5) / sqrt(1600.0 / 12 * (81 - (2 * 990 + 3 * 7980) / 6320.0)) /
			M_SQRT2),
		1e-9);
	assert_false(w.is_exact);
}

static const double steps_a[] = { 101.2, 100.8, 101.9, 100.5, 101.1, 101.4 };
static const double steps_b[] = { 108.3, 107.9, 108.8, 107.5, 109.0, 108.1 };

/* R: wilcox.test of six steps against six, and of their logarithms */
static void steps(void **state)
{
	struct mannwhitney w = MWU(steps_b, steps_a, *state);
	struct hodgeslehmann h = hodgeslehmann_shift(steps_a, 6, steps_b, 6, 0.95, *state);
	double la[6], lb[6];
	size_t i;

	near(w.u, 36, 0);
	near(w.p, 0.0021645022, 1e-7);
	near(h.shift, 7.1, 1e-9);
	near(h.lo, 6.4, 1e-9);
	near(h.hi, 7.8, 1e-9);
	for (i = 0; i < 6; i++) {
		la[i] = log(steps_a[i]);
		lb[i] = log(steps_b[i]);
	}
	h = hodgeslehmann_shift(la, 6, lb, 6, 0.95, *state);
	near(exp(h.shift), 1.0699171, 1e-7);
	near(exp(h.lo), 1.0628067, 1e-7);
	near(exp(h.hi), 1.0776119, 1e-7);
	h = hodgeslehmann_shift(la, 3, lb, 3, 0.95, *state);
	near(h.confidence, 0.9, 1e-9);
}

/* Thinned sides give nearly the shift of the whole. */
static void shift_of_many(void **state)
{
	static double x[5000], y[5000];
	unsigned long seed = 4711;
	struct hodgeslehmann h;
	size_t i;

	for (i = 0; i < COUNT_OF(x); i++) {
		x[i] = near_random(&seed);
		y[i] = near_random(&seed) + 0.25;
	}
	h = hodgeslehmann_shift(x, 5000, y, 5000, 0.95, *state);
	near(h.shift, 0.25, 0.05);
	assert_true(h.lo < 0.25 && h.hi > 0.25 && h.hi - h.lo < 0.05);
	assert_true(isnan(hodgeslehmann_shift(x, 0, y, 5, 0.95, *state).shift));
}

/* Hollander and Wolfe 1973, page 29: depression before and after, as R has it */
static void signed_rank(void **state)
{
	static const double x[] = { 1.83, .50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30 };
	static const double y[] = { .878, .647, .598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29 };
	double d[60];
	struct signedrank w;
	size_t i;

	for (i = 0; i < 9; i++)
		d[i] = x[i] - y[i];
	w = signedrank_test(d, 9, 0.95, *state);
	near(w.v, 40, 0);
	near(w.greater, .01953125, 1e-12);
	near(w.p, .0390625, 1e-12);
	near(w.shift, .46, 1e-9);
	near(w.lo, .010, 1e-9);
	near(w.hi, .786, 1e-9);
	/* one way of 2^5: all positive; zeros do not count */
	memcpy(d, (double[]){ 1, 2, 0, 3, 4, 5 }, 6 * sizeof(*d));
	w = signedrank_test(d, 6, 0.95, *state);
	assert_int_equal(w.n, 5);
	near(w.p, 2.0 / 32, 1e-12);
	near(signedrank_test(d, 0, 0.95, *state).p, 1, 0);
	/* many: V = n (n + 1) / 2, z = (V / 2 - 1/2) / sd */
	for (i = 0; i < 60; i++)
		d[i] = (double)(i + 1);
	w = signedrank_test(d, 60, 0.95, *state);
	assert_false(w.is_exact);
	near(w.p, erfc((915 - 0.5) / sqrt(60.0 * 61 * 121 / 24) / M_SQRT2), 1e-9);
	near(w.shift, 30.5, 1e-12);
	assert_true(w.lo > 24 && w.lo < 27 && w.hi > 34 && w.hi < 37);
}

/* Benjamini and Hochberg 1995, 3.2; R: p.adjust */
static void false_discoveries(void **state)
{
	static const double p[] = { .0001, .0004, .0019, .0095, .0201, .0278, .0298, .0344, .0459,
		.3240, .4262, .5719, .6528, .7590, 1 };
	static const double want[] = { .0015, .003, .0095, .035625, .0603, .063857, .063857, .0645,
		.0765, .486, .581182, .714875, .753231, .813214, 1 };
	double shuffled[16], q[16];
	size_t i, rejected = 0, by_bonferroni = 0;

	for (i = 0; i < 15; i++)
		shuffled[i * 7 % 15] = p[i];
	shuffled[15] = NAN;
	bh_adjust(shuffled, 16, q, *state);
	for (i = 0; i < 15; i++) {
		near(q[i * 7 % 15], want[i], 1e-5);
		rejected += q[i] <= 0.05;
		by_bonferroni += 15 * p[i] <= 0.05;
	}
	assert_int_equal(rejected, 4);
	assert_int_equal(by_bonferroni, 3);
	assert_true(isnan(q[15]));
}

/* Efron and Tibshirani's mice: 1613 of 11440 ways */
static void permutations(void **state)
{
	static const double x[] = { 94, 197, 16, 38, 99, 141, 23 };
	static const double y[] = { 52, 104, 146, 10, 51, 30, 40, 27, 46 };
	static double a[40], b[40];
	struct permutation p = permutation_test(x, 7, y, 9, *state);
	size_t i;

	near(p.difference, 30.63492, 1e-6);
	near(p.greater, 1613.0 / 11440, 1e-12);
	near(p.p, .2783217, 1e-6);
	assert_true(p.is_exact);
	for (i = 0; i < 40; i++) {
		a[i] = (double)i;
		b[i] = (double)i + 5;
	}
	p = permutation_test(b, 40, a, 40, *state);
	assert_false(p.is_exact);
	/* as the t test has it: t = 1.913 */
	near(p.p, 0.0594, 0.15);
	p = permutation_test(a, 40, a, 40, *state);
	near(p.p, 1, 0);
}

/* splitmix64 from 0 gives these; xoshiro's are the same in every run */
static void random_numbers(void **state)
{
	struct rng r, again;
	double sum = 0, squares = 0;
	size_t i, hit[5] = { 0 };

	(void)state;
	rng_init(&r, 0);
	assert_true(r.s[0] == UINT64_C(0xe220a8397b1dcdaf));
	assert_true(r.s[1] == UINT64_C(0x6e789e6aa1b965f4));
	/* rotl(s1 * 5, 7) * 9 */
	assert_true(rng_next(&r) == UINT64_C(0x99ec5f36cb75f2b4));
	rng_init(&r, RNG_SEED);
	rng_init(&again, RNG_SEED);
	for (i = 0; i < 20000; i++) {
		double z = rng_normal(&r);

		near(z, rng_normal(&again), 0);
		sum += z;
		squares += z * z;
		hit[rng_below(&r, 5)]++;
		(void)rng_below(&again, 5);
	}
	assert_true(fabs(sum / 20000) < 0.03 && fabs(squares / 20000 - 1) < 0.04);
	for (i = 0; i < 5; i++)
		assert_true(hit[i] > 3700 && hit[i] < 4300);
}

/* The interval of a mean is that of the normal law; blocks widen it where neighbours agree. */
static void bootstraps(void **state)
{
	static double v[400];
	struct interval_real one, blocks, again;
	struct rng r;
	double mean = 0, squares = 0, half;
	size_t i;

	rng_init(&r, 7);
	for (i = 0; i < COUNT_OF(v); i++) {
		v[i] = (i ? 0.8 * v[i - 1] : 0) + rng_normal(&r);
		mean += v[i] / 400;
	}
	for (i = 0; i < COUNT_OF(v); i++)
		squares += (v[i] - mean) * (v[i] - mean);
	half = 1.96 * sqrt(squares) / 400;
	one = bootstrap_interval(v, COUNT_OF(v), 1, 4000, 0.95, bootstrap_mean, *state);
	near(one.hi - one.lo, 2 * half, 0.06);
	near((one.hi + one.lo) / 2, mean, 0.05);
	blocks = bootstrap_interval(v, COUNT_OF(v), 30, 4000, 0.95, bootstrap_mean, *state);
	assert_true(blocks.hi - blocks.lo > 2 * (one.hi - one.lo));
	again = bootstrap_interval(v, COUNT_OF(v), 30, 4000, 0.95, bootstrap_mean, *state);
	assert_memory_equal(&again, &blocks, sizeof(again));
	one = bootstrap_interval(v, 25, 1, 1000, 0.9, bootstrap_median, *state);
	assert_true(one.lo < one.hi);
	assert_true(isnan(bootstrap_interval(v, 9, 1, 100, 0.95, bootstrap_mean, *state).lo));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(mwu_small),
		TEST(mwu_laws),
		TEST(mwu_quantiles),
		TEST(mwu_normal),
		TEST(mwu_and_shift),
		TEST(mwu_sleep),
		TEST(mwu_normal_ties),
		TEST(steps),
		TEST(shift_of_many),
		TEST(signed_rank),
		TEST(false_discoveries),
		TEST(permutations),
		TEST(random_numbers),
		TEST(bootstraps),
	};

	return cmocka_run_group_tests_name("stat_tests", tests, NULL, NULL);
}
