/* Who of many stands out: by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "report/chart/figures.h"

static void expect_out(const double *v, size_t n, double least, const size_t *want, size_t nwant)
{
	SCOPED_ARENA mem = { 0 };
	struct standings s;
	size_t i;

	s = standings_of(&mem, v, n, least);
	assert_int_equal(s.nout, nwant);
	for (i = 0; i < nwant; i++)
		assert_int_equal(s.out[i], want[i]);
}

/* Ascending: 10 11 11 12 12 13 30; distances from 12: 0 0 1 1 1 2 18, of which the median is 1. */
static void test_one_is_far(void **state)
{
	static const double v[] = { 11, 12, 30, 10, 13, 11, 12 };

	(void)state;
	expect_out(v, COUNT_OF(v), 0, (size_t[]){ 2 }, 1);
	expect_out(v, COUNT_OF(v), 18, NULL, 0); /* as much as is passed over */
}

/* The limit is 3.5 x 1.4826 = 5.19 median distances: 5 of them are not far, 5.5 are. */
static void test_how_far_is_far(void **state)
{
	static const double near[] = { 9, 10, 11, 9, 11, 15.5 }, far[] = { 9, 10, 11, 9, 11, 16 };

	(void)state;
	expect_out(near, COUNT_OF(near), 0, NULL, 0);
	expect_out(far, COUNT_OF(far), 0, (size_t[]){ 5 }, 1);
}

/* All the same but two: no distance is usual, so any is far, the farther first; NaN is nobody. */
static void test_same_but_two(void **state)
{
	static const double v[] = { 5, NAN, 5, 4, 5, 5, 9 };

	(void)state;
	expect_out(v, COUNT_OF(v), 0, (size_t[]){ 6, 3 }, 2);
	expect_out(v, COUNT_OF(v), 2, (size_t[]){ 6 }, 1);
}

/* Two have no rest, and of nothing known nobody stands out. */
static void test_too_few(void **state)
{
	static const double two[] = { 1, 100 }, none[] = { NAN, NAN, NAN };
	SCOPED_ARENA mem = { 0 };
	struct standings s;
	bool picked[3];

	(void)state;
	expect_out(two, 2, 0, NULL, 0);
	expect_out(none, 3, 0, NULL, 0);
	s = standings_of(&mem, none, 3, 0);
	assert_true(isnan(s.median));
	assert_int_equal(standings_pick(&s, 3, picked), 0);
}

/* The row in which somebody is farthest from the others. */
static void test_rows(void **state)
{
	static const double v[3][4] = { { 10, 10, 10, 12 }, { 6, 6, 1, 6 }, { 4, 4, 9, 6 } };
	static const double calm[2][3] = { { 1, 2, 3 }, { 10, 20, 30 } };
	SCOPED_ARENA mem = { 0 };
	struct standings s;
	size_t row;

	(void)state;
	s = standings_of_rows(&mem, v[0], 3, 4, 0.1, &row);
	assert_int_equal(row, 1);
	assert_int_equal(s.out[0], 2);
	s = standings_of_rows(&mem, calm[0], 2, 3, 0, &row);
	assert_int_equal(row, 1); /* nobody: the one that is spread widest */
	assert_int_equal(s.nout, 0);
}

/* Of six the median, the highest, the lowest, then who stands out; no more than there is room for.
 */
static void test_pick(void **state)
{
	static const double v[] = { 3, 50, 2, 4, 3, 40, 3 };
	bool picked[COUNT_OF(v)];
	SCOPED_ARENA mem = { 0 };
	struct standings s;

	(void)state;
	s = standings_of(&mem, v, COUNT_OF(v), 0);
	assert_int_equal(standings_middle(&s), 6);
	assert_int_equal(standings_lowest(&s), 2);
	assert_int_equal(standings_highest(&s), 1);
	assert_int_equal(s.nout, 2);
	assert_int_equal(standings_pick(&s, 5, picked), 4);
	assert_true(picked[6] && picked[1] && picked[2] && picked[5]);
	assert_int_equal(standings_pick(&s, 2, picked), 2);
	assert_true(picked[6] && picked[1] && !picked[2]);
}

/* Against the sorted array itself, of random figures with many that are equal. */
static void test_order(void **state)
{
	enum { ROUNDS = 200, MOST = 40 };
	unsigned seed = 3;
	int round;

	(void)state;
	for (round = 0; round < ROUNDS; round++) {
		double v[MOST];
		size_t n = 1 + (size_t)(rand_r(&seed) % MOST), i, below = 0, above = 0;
		struct arena mem = { 0 };
		struct standings s;

		for (i = 0; i < n; i++)
			v[i] = rand_r(&seed) % 9;
		s = standings_of(&mem, v, n, 0);
		assert_int_equal(s.nknown, n);
		for (i = 1; i < n; i++)
			assert_true(v[s.order[i - 1]] < v[s.order[i]] ||
				(v[s.order[i - 1]] == v[s.order[i]] &&
					s.order[i - 1] < s.order[i]));
		for (i = 0; i < n; i++) {
			below += v[i] < s.median;
			above += v[i] > s.median;
		}
		assert_true(2 * below <= n && 2 * above <= n);
		arena_clear(&mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_is_far),
		cmocka_unit_test(test_how_far_is_far),
		cmocka_unit_test(test_same_but_two),
		cmocka_unit_test(test_too_few),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_pick),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
