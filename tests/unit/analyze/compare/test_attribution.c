/* Shapley's split, on the worked vector of the statistics' document and on properties. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/compare/attribution.h"

/* ns per step: calls x mean duration. */
static void check(double c0, double us0, double c1, double us1, int64_t delta, int64_t calls,
	int64_t duration)
{
	int64_t t0 = (int64_t)(c0 * us0 * 1000 + 0.5), t1 = (int64_t)(c1 * us1 * 1000 + 0.5);
	struct attribution a = attribution_split(t0, c0, t1, c1);
	struct attribution back = attribution_split(t1, c1, t0, c0);

	assert_int_equal(a.delta, delta);
	assert_int_equal(a.by_calls, calls);
	assert_int_equal(a.by_duration, duration);
	assert_int_equal(back.delta, -delta);
	assert_int_equal(back.by_calls, -calls);
	assert_int_equal(back.by_duration, -duration);
}

/* Copies, a collective, a matrix product, softmax that is gone, Triton's that is new. */
static void test_worked_vector(void **state)
{
	(void)state;
	check(4, 310, 12, 905, 9620000, 4860000, 4760000);
	check(2, 5210, 2, 6890, 3360000, 0, 3360000);
	check(96, 118.2, 96, 119.0, 76800, 0, 76800);
	check(24, 61, 0, 0, -1464000, -1464000, 0);
	check(0, 0, 24, 28.5, 684000, 684000, 0);
	check(24, 402, 24, 405.1, 74400, 0, 74400);
	check(410, 9.8, 410, 9.9, 41000, 0, 41000);
	check(0, 0, 0, 0, 0, 0, 0);
}

/* Odd numbers: halves go away from zero, so that swapping the sides negates them, too. */
static void test_halves(void **state)
{
	uint64_t x = 1;
	int i;

	(void)state;
	for (i = 0; i < 2000; i++) {
		int64_t t0, t1;
		double c0, c1;
		struct attribution a, b;

		x = x * 6364136223846793005u + 1442695040888963407u;
		t0 = (int64_t)(x >> 40);
		t1 = (int64_t)(x >> 20 & 0xffffff);
		c0 = (double)(x >> 8 & 0xff) / 6;
		c1 = (double)(x & 0xff) / 6;
		a = attribution_split(t0, c0, t1, c1);
		b = attribution_split(t1, c1, t0, c0);
		assert_int_equal(a.by_calls + a.by_duration, t1 - t0);
		assert_int_equal(a.by_calls, -b.by_calls);
		assert_int_equal(a.by_duration, -b.by_duration);
	}
}

/* Ten short and ten long calls became two short and eighteen long ones, each as long as before: all
 * of the duration effect is the mix. */
static void test_mix(void **state)
{
	const struct attribution_shape mix[] = { { 10000, 10, 2000, 2 },
		{ 90000, 10, 162000, 18 } };
	const struct attribution_shape longer[] = { { 10000, 10, 12000, 10 }, { 500, 1, 0, 0 } };
	struct attribution a = attribution_split(100000, 20, 164000, 20);

	(void)state;
	assert_int_equal(a.by_calls, 0);
	assert_int_equal(a.by_duration, 64000);
	assert_int_equal(attribution_same_shape(mix, 2), 0);
	assert_int_equal(attribution_same_shape(longer, 2), 2000);
	assert_int_equal(attribution_same_shape(longer, 0), 0);
}

static void test_round(void **state)
{
	const double v[] = { 1.4, 2.4, 3.4, -0.2 }, exact[] = { 5, 7 };
	int64_t part[4];
	size_t i;

	(void)state;
	attribution_round(v, 4, 7, part);
	assert_int_equal(part[0] + part[1] + part[2] + part[3], 7);
	for (i = 0; i < 4; i++)
		assert_true(fabs(v[i] - (double)part[i]) < 1);
	assert_int_equal(part[3], 0);
	attribution_round(exact, 2, 12, part);
	assert_int_equal(part[0], 5);
	assert_int_equal(part[1], 7);
	attribution_round(v, 0, 0, part);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worked_vector),
		cmocka_unit_test(test_halves),
		cmocka_unit_test(test_mix),
		cmocka_unit_test(test_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
