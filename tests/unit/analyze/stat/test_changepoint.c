/* Change points: against the figures that the peer's own tests and code give, and drawn levels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/stat/changepoint.h"
#include "analyze/stat/rng.h"
#include "base/arena.h"
#include "base/compiler.h"
#include "tests/unit/near.h"

static const struct changepoint_options usual = { 50, 0.001, 0 };

/* Three levels: the first split is at the 5th value, its right side ends at the last. */
static void best_split(void **state)
{
	static const double v[] = { .3, 2.4, 1.5, -.9, -.5, 99.7, 98.3, 99.1, 149, 149.7, 149.5,
		149.1, 148.8, 150 };
	struct changepoint_split s;
	struct changepoint *c;
	SCOPED_ARENA mem = { 0 };
	size_t n;

	(void)state;
	s = changepoint_best(v, COUNT_OF(v), &mem);
	assert_int_equal(s.at, 5);
	assert_int_equal(s.to, 14);
	near(s.q, 761.2821428571, 1e-12);
	s = changepoint_best(v + 5, 9, &mem);
	assert_int_equal(s.at, 3);
	near(s.q, 198.2666666667, 1e-12);
	c = changepoint_find(v, COUNT_OF(v), &usual, &n, &mem);
	assert_int_equal(n, 2);
	assert_int_equal(c[0].at, 5);
	assert_int_equal(c[1].at, 8);
	assert_int_equal(changepoint_best(v, 1, &mem).at, 0);
	(void)changepoint_find(v, 0, &usual, &n, &mem);
	assert_int_equal(n, 0);
}

/* One fall to a half; p with the variance divided by n - 1 */
static void one_fall(void **state)
{
	static const double v[] = { 1.02, .95, .99, 1, 1.12, 1, 1.01, .98, 1.01, .96, .50, .51, .48,
		.48, .55, .50, .49, .51, .50, .49 };
	struct changepoint_split s;
	struct changepoint *c;
	SCOPED_ARENA mem = { 0 };
	size_t n;

	(void)state;
	s = changepoint_best(v, COUNT_OF(v), &mem);
	assert_int_equal(s.at, 10);
	near(s.q, 4.6822222222, 1e-10);
	c = changepoint_find(v, COUNT_OF(v), &usual, &n, &mem);
	assert_int_equal(n, 1);
	assert_int_equal(c[0].at, 10);
	near(c[0].p, 3.627606e-17, 1e-6);
	near(c[0].before, 1.004, 1e-12);
	near(c[0].change, 0.501 / 1.004 - 1, 1e-12);
}

/* Levels of many nights, 2 % noise: found within a night, small steps dropped by min_change. */
static void many_nights(void **state)
{
	static const double level[] = { 60, 66, 66.4, 58 }; /* 70 nights each */
	static double v[280];
	struct changepoint_options o = usual;
	struct changepoint *c;
	SCOPED_ARENA mem = { 0 };
	struct rng r;
	size_t n, i;

	(void)state;
	rng_init(&r, 20);
	for (i = 0; i < COUNT_OF(v); i++)
		v[i] = level[i / 70] * (1 + 0.01 * near_normal(&r));
	o.min_change = 0.03;
	c = changepoint_find(v, COUNT_OF(v), &o, &n, &mem);
	assert_int_equal(n, 2);
	assert_in_range(c[0].at, 69, 71);
	assert_in_range(c[1].at, 209, 211);
	near(c[0].change, 0.1, 0.1);
	assert_true(c[1].p < 1e-20);
}

/* A year of nights with eight changes of level, of 1.5 to 13 %: windows of 50 see all of them, and
 * a smallest change of 5 % leaves the two large ones and what is between. */
static void a_year(void **state)
{
	static const struct {
		size_t at;
		double level;
	} levels[] = { { 0, 100 }, { 15, 88 }, { 61, 91 }, { 71, 106 }, { 95, 102 }, { 117, 103.5 },
		{ 131, 106.5 }, { 192, 108.5 }, { 212, 110.5 }, { 365, 0 } };
	static double v[365];
	struct changepoint_options o = usual;
	struct changepoint *c;
	SCOPED_ARENA mem = { 0 };
	struct rng r;
	size_t n, i, k = 0;

	(void)state;
	rng_init(&r, 365);
	for (i = 0; i < COUNT_OF(v); i++) {
		k += i == levels[k + 1].at;
		v[i] = levels[k].level * (1 + 0.004 * near_normal(&r));
	}
	c = changepoint_find(v, COUNT_OF(v), &o, &n, &mem);
	assert_int_equal(n, 8);
	for (i = 0; i < n; i++)
		assert_in_range(c[i].at, levels[i + 1].at - 1, levels[i + 1].at + 1);
	o.min_change = 0.05;
	c = changepoint_find(v, COUNT_OF(v), &o, &n, &mem);
	assert_int_equal(n, 2);
	assert_int_equal(c[0].at, 15);
	assert_in_range(c[1].at, 70, 72);
}

/* Nothing changes: a constant, and noise (Hunter: 3.5 % of series of 100 have a false point). */
static void nothing(void **state)
{
	static double v[100];
	SCOPED_ARENA mem = { 0 };
	struct rng r;
	size_t n, i, k, with = 0;

	(void)state;
	rng_init(&r, RNG_SEED);
	(void)changepoint_find(v, COUNT_OF(v), &usual, &n, &mem);
	assert_int_equal(n, 0);
	for (k = 0; k < 200; k++) {
		for (i = 0; i < COUNT_OF(v); i++)
			v[i] = 60 * (1 + 0.02 * near_normal(&r));
		(void)changepoint_find(v, COUNT_OF(v), &usual, &n, &mem);
		with += n > 0;
	}
	assert_true(with < 16); /* 3.5 % of 200: 7, sd 2.6 */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(best_split),
		cmocka_unit_test(one_fall),
		cmocka_unit_test(many_nights),
		cmocka_unit_test(a_year),
		cmocka_unit_test(nothing),
	};

	return cmocka_run_group_tests_name("changepoint", tests, NULL, NULL);
}
