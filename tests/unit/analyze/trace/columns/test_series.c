/* Series: exact while small, and what is kept of long ones agrees with the whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/columns/series.h"

static void near(double a, double b)
{
	if (fabs(a - b) > 1e-9 * (fabs(b) + 1))
		fail_msg("%.17g is not %.17g", a, b);
}

/* 1 2 nan 4 inf null 1: four values, mean 2, squares 1 + 0 + 4 + 1 = 6. */
static void small(void **state)
{
	struct series s;
	struct point p[8];
	size_t n;

	(void)state;
	series_init(&s, SPAN("loss"), SPAN(""));
	series_add(&s, 10, 1);
	series_add(&s, 11, 2);
	series_add(&s, 12, NAN);
	series_add(&s, 13, 4);
	series_add(&s, 14, -INFINITY);
	series_add_missing(&s);
	series_add(&s, 15, 1);
	assert_int_equal(s.n, 4);
	assert_int_equal(s.nan, 1);
	assert_int_equal(s.inf, 1);
	assert_int_equal(s.missing, 1);
	near(s.first_nan_x, 12);
	near(s.first_inf_x, 14);
	near(s.mean, 2);
	near(s.sum, 8);
	near(series_std(&s, 0), sqrt(6.0 / 4));
	near(series_std(&s, 1), sqrt(6.0 / 3));
	assert_true(isnan(series_std(&s, 4)));
	near(s.min, 1);
	near(s.max, 4);
	near(s.last.x, 15);
	assert_true(series_is_exact(&s));
	assert_int_equal(series_last(&s, 2, p), 2);
	near(p[0].y, 4);
	near(p[1].y, 1);
	assert_int_equal(series_first(&s, 8, p), 4);
	near(p[2].x, 13);
	assert_ptr_equal(series_sample(&s, &n), s.point);
	assert_int_equal(n, 4);
	series_clear(&s);
}

static void empty(void **state)
{
	struct series s;
	struct point p;
	struct series_block b[SERIES_BLOCKS];
	size_t n;

	(void)state;
	series_init(&s, SPAN("loss"), SPAN(""));
	assert_int_equal(series_last(&s, 1, &p), 0);
	assert_int_equal(series_first(&s, 1, &p), 0);
	assert_int_equal(series_blocks(&s, b), 0);
	(void)series_sample(&s, &n);
	assert_int_equal(n, 0);
	assert_true(isnan(series_std(&s, 0)));
	series_clear(&s);
}

/* A value far from zero keeps its digits: variance of 1e9 + {0, 1} alternating is 1/4. */
static double value(int64_t i)
{
	return 1e9 + (double)(i % 2) + (i == 777 ? -5 : 0);
}

static void check_blocks(const struct series *s, int64_t n)
{
	struct series_block *b = calloc(SERIES_BLOCKS, sizeof(*b));
	size_t i, k = series_blocks(s, b);
	int64_t sum = 0;
	double mean = 0, low = INFINITY;

	assert_in_range(k, SERIES_BLOCKS / 2, SERIES_BLOCKS);
	for (i = 0; i < k; i++) {
		near(b[i].first_x, (double)sum);
		sum += b[i].n;
		near(b[i].last_x, (double)(sum - 1));
		near(b[i].mean_x, (b[i].first_x + b[i].last_x) / 2);
		mean += b[i].mean * (double)b[i].n / (double)n;
		low = fmin(low, b[i].min);
		if (i + 1 < k)
			assert_int_equal(b[i].n, b[0].n);
	}
	assert_int_equal(sum, n);
	near(mean, s->mean);
	near(low, s->min);
	free(b);
}

static void check_sample(const struct series *s, int64_t n)
{
	const struct point *p;
	unsigned char *seen = calloc((size_t)n, 1);
	size_t i, k;
	double late = 0;

	p = series_sample(s, &k);
	assert_int_equal(k, SERIES_SAMPLE);
	for (i = 0; i < k; i++) {
		int64_t at = (int64_t)p[i].x;

		assert_in_range(at, 0, n - 1);
		assert_false(seen[at]);
		seen[at] = 1;
		near(p[i].y, value(at));
		late += at >= n / 2;
	}
	/* Half of them lie in the second half: the standard error is 0.0055. */
	assert_true(fabs(late / (double)k - 0.5) < 0.03);
	free(seen);
}

static void check_long(int64_t n)
{
	struct series s;
	struct point p[8];
	int64_t i;

	series_init(&s, SPAN("x"), SPAN(""));
	for (i = 0; i < n; i++)
		series_add(&s, (double)i, value(i));
	assert_false(series_is_exact(&s));
	assert_int_equal(s.n, n);
	assert_null(s.point);
	assert_true(fabs(series_std(&s, 0) - 0.5) < 1e-3);
	assert_int_equal(series_last(&s, 8, p), 8);
	for (i = 0; i < 8; i++)
		near(p[i].x, (double)(n - 8 + i));
	assert_int_equal(series_first(&s, 8, p), 8);
	for (i = 0; i < 8; i++)
		near(p[i].x, (double)i);
	check_blocks(&s, n);
	check_sample(&s, n);
	series_clear(&s);
}

static void long_ones(void **state)
{
	(void)state;
	check_long(SERIES_EXACT + 1);
	check_long(SERIES_EXACT * 2 + 4711);
	check_long(1000003);
}

/* Exactly at the limit nothing is lost yet, and blocks are those a long series would have. */
static void at_the_limit(void **state)
{
	struct series s;
	int64_t i;

	(void)state;
	series_init(&s, SPAN("x"), SPAN(""));
	for (i = 0; i < SERIES_EXACT; i++)
		series_add(&s, (double)i, value(i));
	assert_true(series_is_exact(&s));
	check_blocks(&s, SERIES_EXACT);
	series_clear(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small),
		cmocka_unit_test(empty),
		cmocka_unit_test(long_ones),
		cmocka_unit_test(at_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
