/* Tests on two samples, resampling and many tests at once: against published tables and R. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analyze/stat/bh.h"
#include "analyze/stat/bootstrap.h"
#include "analyze/stat/mannwhitney.h"
#include "analyze/stat/rng.h"
#include "base/arena.h"
#include "base/compiler.h"
#include "tests/unit/near.h"

#define MWU(x, y, mem) mannwhitney_test((x), COUNT_OF(x), (y), COUNT_OF(y), (mem))

static int setup(void **state)
{
	*state = calloc(1, sizeof(struct arena));
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
	near(w.p, 1, 0);
	assert_true(isnan(mannwhitney_test(few, 0, twos, 4, *state).p));
}

/* Mann and Whitney 1947, table for 5 and 5; Klotz 1966, table 1 */
static void mwu_laws(void **state)
{
	static const double plain[] = { .003968, .007937, .015873, .027778, .047619, .075397 };
	/* of 1 2 3 3 4 5 6 6 7 8 */
	static const struct {
		double x[5], y[5], u, p;
	} tied[] = {
		{ { 1, 2, 3, 3, 4 }, { 5, 6, 6, 7, 8 }, 0, .003968 },
		{ { 1, 2, 3, 3, 5 }, { 4, 6, 6, 7, 8 }, 1, .007937 },
		{ { 1, 2, 3, 4, 5 }, { 3, 6, 6, 7, 8 }, 2.5, .023810 },
		{ { 1, 2, 3, 3, 7 }, { 4, 5, 6, 6, 8 }, 4, .047619 },
		{ { 1, 2, 3, 3, 8 }, { 4, 5, 6, 6, 7 }, 5, .071429 },
		{ { 1, 2, 3, 4, 7 }, { 3, 5, 6, 6, 8 }, 5.5, .087302 },
		{ { 1, 2, 3, 4, 8 }, { 3, 5, 6, 6, 7 }, 6.5, .134921 },
		{ { 1, 3, 3, 4, 7 }, { 2, 5, 6, 6, 8 }, 7, .138889 },
	};
	size_t i;

	for (i = 0; i < COUNT_OF(plain); i++)
		near(mannwhitney_below(i, 5, 5, *state), plain[i], 1e-3);
	for (i = 0; i < COUNT_OF(tied); i++) {
		struct mannwhitney w = MWU(tied[i].x, tied[i].y, *state);

		near(w.u, tied[i].u, 0);
		near(w.less, tied[i].p, 1e-4);
	}
}

/* The smallest two-sided p, 2 / choose(2 n, n) */
static void mwu_least(void **state)
{
	static const double least[] = { .1, .0285714, .0079365, .0021645, .00058275, .00015540 };
	size_t i;

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
static void mwu_permeability(void **state)
{
	static const double x[] = { .80, .83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, .73, 1.46 };
	static const double y[] = { 1.15, .88, .90, .74, 1.21 };
	struct mannwhitney w = MWU(x, y, *state);

	near(w.u, 35, 0);
	near(w.greater, .1272061272, 1e-9);
	near(w.p, .2544122544, 1e-9);
}

/* R: sleep; exact p by enumeration */
static void mwu_sleep(void **state)
{
	static const double a[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 };
	static const double b[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 };
	struct mannwhitney w = MWU(a, b, *state);

	near(w.u, 25.5, 0);
	near(w.p, .0658165364, 1e-8);
}

/* The normal law with ties, where the exact one is too large: by its formula */
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

/* R: wilcox.test of six steps against six */
static void steps(void **state)
{
	struct mannwhitney w = MWU(steps_b, steps_a, *state);

	near(w.u, 36, 0);
	near(w.p, 0.0021645022, 1e-7);
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
		double z = near_normal(&r);

		near(z, near_normal(&again), 0);
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
		v[i] = (i ? 0.8 * v[i - 1] : 0) + near_normal(&r);
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
	assert_true(isnan(bootstrap_interval(v, 9, 1, 100, 0.95, bootstrap_mean, *state).lo));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(mwu_small),
		TEST(mwu_laws),
		TEST(mwu_least),
		TEST(mwu_normal),
		TEST(mwu_permeability),
		TEST(mwu_sleep),
		TEST(mwu_normal_ties),
		TEST(steps),
		TEST(false_discoveries),
		TEST(random_numbers),
		TEST(bootstraps),
	};

	return cmocka_run_group_tests_name("stat_tests", tests, NULL, NULL);
}
