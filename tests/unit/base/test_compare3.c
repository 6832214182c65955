/* base/compare3: -1, 0, 1 of all types, where NaN stands, and the first key that says something. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/compare3.h"

#define ALL_WAYS(type, low, high)                            \
	do {                                                 \
		type x = (low), y = (high), same = x;        \
                                                             \
		assert_int_equal(compare3(x, y), -1);        \
		assert_int_equal(compare3(y, x), 1);         \
		assert_int_equal(compare3(x, same), 0);      \
		assert_int_equal(compare3_down(x, y), 1);    \
		assert_int_equal(compare3_down(y, x), -1);   \
		assert_int_equal(compare3_down(same, x), 0); \
	} while (0)

static void types(void **state)
{
	static const struct {
		int v;
	} place[2];

	(void)state;
	ALL_WAYS(int, INT_MIN, INT_MAX);
	ALL_WAYS(unsigned, 0, UINT_MAX);
	ALL_WAYS(int64_t, INT64_MIN, INT64_MAX);
	ALL_WAYS(uint64_t, 0, UINT64_MAX);
	ALL_WAYS(long long, INT64_MIN, INT64_MAX);
	ALL_WAYS(unsigned long long, 1, UINT64_MAX);
	ALL_WAYS(uint8_t, 0, 255);
	ALL_WAYS(_Bool, 0, 1);
	ALL_WAYS(double, -INFINITY, 1e-300);
	assert_int_equal(compare3(&place[0], &place[1]), -1);
	assert_int_equal(compare3_down(&place[0], &place[1]), 1);
	assert_int_equal(compare3(&place[1], &place[0]), 1);
	assert_int_equal(compare3(0.0, -0.0), 0);
}

static int up(const void *a, const void *b)
{
	return compare3(*(const double *)a, *(const double *)b);
}

static int down(const void *a, const void *b)
{
	return compare3_down(*(const double *)a, *(const double *)b);
}

/* However they stood before, what is unknown is last. */
static void unknown(void **state)
{
	static const double given[] = { NAN, 3, -INFINITY, NAN, 7, INFINITY, 3, NAN };
	enum { N = sizeof(given) / sizeof(given[0]) };
	size_t turn, i;

	(void)state;
	assert_int_equal(compare3(NAN, -NAN), 0);
	assert_int_equal(compare3_down(NAN, -NAN), 0);
	for (turn = 0; turn < N; turn++) {
		double v[N];

		for (i = 0; i < N; i++)
			v[i] = given[(i + turn) % N];
		qsort(v, N, sizeof(v[0]), up);
		assert_true(isinf(v[0]) && v[0] < 0 && v[3] == 7 && isinf(v[4]));
		for (i = 5; i < N; i++)
			assert_true(isnan(v[i]));
		qsort(v, N, sizeof(v[0]), down);
		assert_true(isinf(v[0]) && v[0] > 0 && v[1] == 7 && isinf(v[4]));
		for (i = 5; i < N; i++)
			assert_true(isnan(v[i]));
	}
}

static int count(int *n, int c)
{
	++*n;
	return c;
}

/* The first that is not 0 as it is, and no call behind it. */
static void by_keys(void **state)
{
	int n = 0;

	(void)state;
	assert_int_equal(COMPARE_BY(count(&n, 0), count(&n, 0)), 0);
	assert_int_equal(n, 2);
	assert_int_equal(COMPARE_BY(count(&n, -7), count(&n, 1)), -7);
	assert_int_equal(n, 3);
	assert_int_equal(COMPARE_BY(count(&n, 0), count(&n, 5), count(&n, 1)), 5);
	assert_int_equal(n, 5);
	assert_int_equal(COMPARE_BY(0, 0, 0, 4), 4);
	assert_int_equal(COMPARE_BY(0, 0, 0, 0, 5), 5);
	assert_int_equal(COMPARE_BY(0, 0, 0, 0, 0, 6), 6);
	assert_int_equal(COMPARE_BY(0, 0, 0, 0, 0, 0, 7), 7);
	assert_int_equal(COMPARE_BY(0, 0, 0, 0, 0, 0, 0, count(&n, 8)), 8);
	assert_int_equal(n, 6);
}

static void evaluated_once(void **state)
{
	int i = 1, k = 5;

	(void)state;
	assert_int_equal(compare3(i++, k++), -1);
	assert_int_equal(compare3_down(i++, k++), 1);
	assert_int_equal(i, 3);
	assert_int_equal(k, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types),
		cmocka_unit_test(unknown),
		cmocka_unit_test(by_keys),
		cmocka_unit_test(evaluated_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
