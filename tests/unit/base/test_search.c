/* base/search: the point where a condition stops to hold, against a look at each place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/search.h"

enum { MOST = 70 };

/* Of n places the first `hold` do; those outside are never asked. */
static void every_point(void **state)
{
	size_t n, hold, asked;

	(void)state;
	for (n = 0; n < MOST; n++) {
		for (hold = 0; hold <= n; hold++) {
			asked = 0;
			assert_int_equal(
				PARTITION_POINT(i, 0, n, (asked++, assert_true(i < n), i < hold)),
				hold);
			assert_true((size_t)1 << asked <= 2 * n + 1);
			assert_int_equal(PARTITION_POINT(k, hold, n, k < hold), hold);
			assert_int_equal(PARTITION_POINT(k, 0, hold, k < n), hold);
		}
	}
}

static void bounds(void **state)
{
	static const int64_t v[] = { -5, -5, 0, 3, 3, 3, INT64_MAX };
	size_t n = sizeof(v) / sizeof(v[0]);

	(void)state;
	assert_int_equal(PARTITION_POINT(i, 0, n, v[i] < 3), 3);
	assert_int_equal(PARTITION_POINT(i, 0, n, v[i] <= 3), 6);
	assert_int_equal(PARTITION_POINT(i, 0, n, v[i] < 2), 3);
	assert_int_equal(PARTITION_POINT(i, 0, n, v[i] < INT64_MIN), 0);
	assert_int_equal(PARTITION_POINT(i, 0, n, v[i] <= INT64_MAX), 7);
	assert_int_equal(PARTITION_POINT(i, 4, n, v[i] <= 3), 6);
}

/* The type is that of the limits: also numbers below 0, and those near the end. */
static void types(void **state)
{
	int32_t low = -100, high = 100;

	(void)state;
	assert_int_equal(PARTITION_POINT(i, low, high, i * i * i < -27), -3);
	assert_true(PARTITION_POINT(i, UINT64_MAX - 9, UINT64_MAX, i < UINT64_MAX - 2) ==
		UINT64_MAX - 2);
	assert_true(PARTITION_POINT(i, 0, INT64_MAX, i < INT64_MAX - 1) == INT64_MAX - 1);
}

/* Of none, of the first alone, of the last alone; what is behind the decision is not asked. */
static void loops(void **state)
{
	static const int v[] = { 4, 0, 7, 7 };
	size_t n = sizeof(v) / sizeof(v[0]), asked = 0;

	(void)state;
	assert_int_equal(FIRST(i, n, v[i] == 7), 2);
	assert_int_equal(FIRST(i, n, v[i] == 5), n);
	assert_int_equal(FIRST(i, 0, v[i] == 4), 0);
	assert_int_equal(FIRST(i, n, (asked++, v[i] == 0)), 1);
	assert_int_equal(asked, 2);
	assert_true(ANY(i, n, v[i] == 4));
	assert_false(ANY(i, n, v[i] < 0));
	assert_false(ANY(i, 0, true));
	assert_true(ALL(i, n, v[i] >= 0));
	assert_false(ALL(i, n, v[i] > 0));
	assert_true(ALL(i, 0, false));
	assert_ptr_equal(FIND(i, v, n, v[i] == 7), &v[2]);
	assert_null(FIND(i, v, n, v[i] == 5));
	assert_int_equal(SUM(int, i, n, v[i]), 18);
	assert_int_equal(SUM(size_t, i, n, v[i] > 4), 2);
	assert_int_equal(SUM(size_t, i, n, SUM(size_t, k, i, v[k] == 0)), 2);
	assert_true(SUM(double, i, 0, 1.5) == 0);
}

/* A search may stand in the condition of another. */
static void nested(void **state)
{
	(void)state;
	assert_int_equal(
		PARTITION_POINT(i, 0, MOST, PARTITION_POINT(k, 0, MOST, k < i / 2) < 10), 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_point),
		cmocka_unit_test(bounds),
		cmocka_unit_test(types),
		cmocka_unit_test(loops),
		cmocka_unit_test(nested),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
