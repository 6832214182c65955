/* edit/keep_ranges: stretches drawn by hand, and any against looking at each of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "edit/keep_ranges.h"
#include "tests/unit/loading.h"

/* [10, 20) and [30, 40). */
static void drawn(void **state)
{
	struct interval v[] = { { 10, 20 }, { 30, 40 } };
	const struct keep_ranges h = { { v, 2, 2 }, false };

	(void)state;
	assert_int_equal(keep_ranges_behind(&h, 9), 0);
	assert_int_equal(keep_ranges_behind(&h, 10), 1);
	assert_int_equal(keep_ranges_behind(&h, 30), 2);
	assert_false(keep_ranges_meets(&h, 5, 10)); /* only touches */
	assert_true(keep_ranges_meets(&h, 5, 11));
	assert_true(keep_ranges_meets(&h, 10, 10)); /* moments */
	assert_false(keep_ranges_meets(&h, 20, 20));
	assert_false(keep_ranges_meets(&h, 20, 30));
	assert_true(keep_ranges_meets(&h, 0, 100));
	assert_false(keep_ranges_meets(&h, 40, INT64_MAX));
	assert_true(keep_ranges_holds(&h, 10, 19));
	assert_false(keep_ranges_holds(&h, 10, 20));
	assert_false(keep_ranges_holds(&h, 15, 35)); /* two stretches */
}

static void none_and_all(void **state)
{
	const struct keep_ranges none = { { NULL, 0, 0 }, false }, all = { { NULL, 0, 0 }, true };
	struct interval wide[] = { { INT64_MIN, INT64_MAX } };
	const struct keep_ranges most = { { wide, 1, 1 }, false };

	(void)state;
	assert_false(keep_ranges_meets(&none, INT64_MIN, INT64_MAX));
	assert_false(keep_ranges_holds(&none, 0, 0));
	assert_true(keep_ranges_meets(&all, 5, 5));
	assert_true(keep_ranges_holds(&all, INT64_MIN, INT64_MAX));
	assert_true(keep_ranges_holds(&most, INT64_MIN, INT64_MAX - 1));
	assert_false(keep_ranges_holds(&most, 0, INT64_MAX)); /* its end is outside */
}

static bool meets_simply(const struct keep_ranges *h, nsec start, nsec end)
{
	size_t i;

	for (i = 0; i < h->time.n; i++)
		if ((start >= h->time.v[i].start && start < h->time.v[i].end) ||
			(start < h->time.v[i].start && end > h->time.v[i].start))
			return true;
	return false;
}

static bool holds_simply(const struct keep_ranges *h, nsec from, nsec to)
{
	size_t i;

	for (i = 0; i < h->time.n; i++)
		if (from >= h->time.v[i].start && to < h->time.v[i].end)
			return true;
	return false;
}

static void any(void **state)
{
	uint64_t seed = 7;
	int round, k;

	(void)state;
	for (round = 0; round < 200; round++) {
		struct keep_ranges h = { 0 };

		for (k = 0; k < round % 9; k++) {
			nsec at = loading_random(&seed) % 100;

			intervals_add(&h.time, at, at + loading_random(&seed) % 12);
		}
		intervals_unite(&h.time);
		for (k = 0; k < 200; k++) {
			nsec at = loading_random(&seed) % 120;
			nsec end = at + loading_random(&seed) % 20;

			assert_int_equal(keep_ranges_meets(&h, at, end), meets_simply(&h, at, end));
			assert_int_equal(keep_ranges_holds(&h, at, end), holds_simply(&h, at, end));
		}
		intervals_clear(&h.time);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drawn),
		cmocka_unit_test(none_and_all),
		cmocka_unit_test(any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
