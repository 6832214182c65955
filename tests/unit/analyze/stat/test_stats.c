/* Quantiles: against values worked out by hand and against sorting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/stat/stats.h"
#include "base/compiler.h"

static void same(double got, double want, double epsilon)
{
	if (!(fabs(got - want) <= epsilon))
		fail_msg("got %.17g, want %.17g", got, want);
}

/* numpy.percentile([15, 20, 35, 40, 50], [5, 30, 40, 50, 95, 100]) = 16, 23, 29, 35, 48, 50 */
static void like_numpy(void **state)
{
	static const struct {
		double q, want;
	} cases[] = { { 0, 15 }, { 0.05, 16 }, { 0.3, 23 }, { 0.4, 29 }, { 0.5, 35 }, { 0.95, 48 },
		{ 1, 50 } };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		int64_t v[] = { 40, 15, 50, 35, 20 };

		same(stats_quantile(v, 5, cases[i].q), cases[i].want, 1e-9);
	}
}

static void small_samples(void **state)
{
	int64_t one[] = { 7 }, two[] = { 9, 1 };

	(void)state;
	assert_true(isnan(stats_quantile(one, 0, 0.5)));
	same(stats_quantile(one, 1, 0.95), 7, 0);
	same(stats_quantile(two, 2, 0.5), 5, 0);
	same(stats_quantile(two, 2, 0.95), 8.6, 1e-12);
}

/* Differences of values beyond 2^53 are not taken through a rounded sum. */
static void large_values(void **state)
{
	int64_t v[] = { INT64_MAX, INT64_MAX, INT64_MAX };

	(void)state;
	same(stats_quantile(v, 3, 0.5), (double)INT64_MAX, 0);
}

static int ascending(const void *pa, const void *pb)
{
	const int64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

/* xorshift64: the same numbers on every machine */
static uint64_t next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

enum { SAMPLES = 30000, SHAPES = 8 };

/* Shapes that are bad for one pivot rule or another. */
static void fill(int64_t *v, size_t n, int shape)
{
	uint64_t x = 88172645463325252u;
	size_t i;

	for (i = 0; i < n; i++)
		switch (shape) {
		case 0: v[i] = (int64_t)(next(&x) % 1000000); break;
		case 1: v[i] = (int64_t)(next(&x) % 3); break; /* ties */
		case 2: v[i] = (int64_t)i; break;
		case 3: v[i] = (int64_t)(n - i); break;
		case 4: v[i] = 5; break;
		case 5: v[i] = (int64_t)(i < n / 2 ? i : n - i); break; /* organ pipe */
		case 6: /* evenly spaced samples see the largest only */
			v[i] = n >= 64 && i % (n / 64) == n / 64 / 2 ? (int64_t)n : (int64_t)i;
			break;
		default: v[i] = i % 2 ? (int64_t)i : -(int64_t)i; break;
		}
}

static void select_is_sorting(void **state)
{
	static int64_t v[SAMPLES], sorted[SAMPLES];
	size_t n, k, i;
	int shape;

	(void)state;
	for (shape = 0; shape < SHAPES; shape++)
		for (n = 1; n <= SAMPLES; n = n * 3 + 1) {
			fill(sorted, n, shape);
			qsort(sorted, n, sizeof(*sorted), ascending);
			for (k = 0; k < n; k += n / 17 + 1) {
				fill(v, n, shape);
				assert_int_equal(stats_select(v, n, k), sorted[k]);
				for (i = 0; i < n; i++)
					assert_true(i < k ? v[i] <= v[k] : v[i] >= v[k]);
			}
		}
}

/* Several at once are the same as one after the other on fresh samples. */
static void several_at_once(void **state)
{
	static int64_t v[SAMPLES];
	static const double q[] = { 1, 0.95, 0.95, 0.5, 0.013, 0 };
	double x[COUNT_OF(q)];
	size_t n, i;
	int shape;

	(void)state;
	for (shape = 0; shape < SHAPES; shape++)
		for (n = 1; n <= SAMPLES; n = n * 2 + 1) {
			fill(v, n, shape);
			stats_quantiles(v, n, q, COUNT_OF(q), x);
			for (i = 0; i < COUNT_OF(q); i++) {
				fill(v, n, shape);
				same(x[i], stats_quantile(v, n, q[i]), 0);
			}
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(like_numpy),
		cmocka_unit_test(small_samples),
		cmocka_unit_test(large_values),
		cmocka_unit_test(select_is_sorting),
		cmocka_unit_test(several_at_once),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
