/* Robust lines: exact where points are, unbent by outliers, and as sure as they say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/stat/line.h"
#include "base/arena.h"
#include "tests/unit/loading.h"

enum { MOST = 400, TRIALS = 400 };

static double uniform(uint64_t *seed)
{
	return (double)loading_random(seed) / 2147483648.0;
}

/* The sum of four, near enough to normal. */
static double noise(uint64_t *seed)
{
	return uniform(seed) + uniform(seed) + uniform(seed) + uniform(seed) - 2;
}

static void test_exact(void **state)
{
	static const double x[] = { 0, 1, 2, 5, 9 }, y[] = { 7, 9, 11, 17, 25 };
	struct robustline l;
	SCOPED_ARENA mem = { 0 };

	(void)state;
	l = robustline_fit(x, y, 5, 0, &mem);
	assert_true(fabs(l.slope - 2) < 1e-12);
	assert_true(fabs(l.x - 2) < 1e-12);
	assert_true(fabs(l.y - 11) < 1e-12);
	assert_true(l.slope_error < 1e-9 && l.y_error < 1e-9);
	/* Known to one only, agreement is no more than that. */
	l = robustline_fit(x, y, 5, 1, &mem);
	assert_true(l.spread >= 1);
	assert_true(l.y_error > 0.3);
	l = robustline_fit(x, y, 2, 0, &mem);
	assert_true(isnan(l.slope));
	l = robustline_fit((const double[]){ 3, 3, 3 }, y, 3, 0, &mem);
	assert_true(isnan(l.slope));
}

static void test_outliers(void **state)
{
	double x[MOST], y[MOST];
	uint64_t seed = 5;
	struct robustline l;
	SCOPED_ARENA mem = { 0 };
	int i;

	(void)state;
	for (i = 0; i < MOST; i++) {
		x[i] = i;
		y[i] = 100 + 3 * i + noise(&seed);
		if (i % 5 == 0)
			y[i] += 1e6;
	}
	l = robustline_fit(x, y, MOST, 0, &mem);
	assert_true(fabs(l.slope - 3) < 0.01);
	assert_true(fabs(l.y - (100 + 3 * l.x)) < 0.5);
	assert_true(l.spread < 5);
}

/* Of many lines the intervals hold 95 %, of few points and of many. */
static void test_intervals(void **state)
{
	static const int sizes[] = { 4, 8, 15, 48, 200, 400 };
	double x[MOST], y[MOST];
	uint64_t seed = 9;
	SCOPED_ARENA mem = { 0 };
	size_t s;

	(void)state;
	for (s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
		int n = sizes[s], trial, slopes = 0, ys = 0, i;

		for (trial = 0; trial < TRIALS; trial++) {
			struct robustline l;

			for (i = 0; i < n; i++) {
				x[i] = i + uniform(&seed);
				y[i] = 1000 + 0.5 * x[i] + noise(&seed);
			}
			l = robustline_fit(x, y, (size_t)n, 0, &mem);
			slopes += fabs(l.slope - 0.5) <= l.slope_error;
			ys += fabs(l.y - (1000 + 0.5 * l.x)) <= l.y_error;
		}
		assert_true(slopes >= TRIALS * 95 / 100);
		assert_true(ys >= TRIALS * 95 / 100);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_outliers),
		cmocka_unit_test(test_intervals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
