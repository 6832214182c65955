/* Ramps: drawn by hand; and over many seeds that shifts are none, nor is noise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/stat/ramp.h"
#include "analyze/stat/rng.h"
#include "base/arena.h"
#include "base/compiler.h"

enum { VALUES = 1000, SEEDS = 300 };

static bool find(struct ramp *r, const double *v, size_t n)
{
	struct arena mem = { 0 };
	bool is = ramp_find(r, v, n, &mem);

	arena_clear(&mem);
	return is;
}

static void near(double got, double want, double by)
{
	assert_true(fabs(got - want) <= by);
}

static void by_hand(void **state)
{
	/* From the third to the eighth by 2 each; down all the way; a shift; alike; too few. */
	const double up[] = { 10, 10, 10, 12, 14, 16, 18, 20, 20, 20 };
	const double down[] = { 47, 45, 43, 41, 39, 37, 35, 33 };
	const double shift[] = { 10, 10, 10, 10, 10, 20, 20, 20, 20, 20 };
	const double alike[] = { 10, 10, 10, 10, 10, 10, 10, 10 };
	struct ramp r;

	(void)state;
	assert_true(find(&r, up, COUNT_OF(up)));
	assert_int_equal(r.from, 2);
	assert_int_equal(r.to, 7);
	near(r.before, 10, 1e-9);
	near(r.after, 20, 1e-9);
	near(ramp_slope(&r), 2, 1e-9);
	near(ramp_at(&r, 1), 0, 0);
	near(ramp_at(&r, 5), 0.6, 1e-12);
	near(ramp_at(&r, 9), 1, 0);
	assert_true(find(&r, down, COUNT_OF(down)));
	assert_int_equal(r.from, 0);
	assert_int_equal(r.to, 7);
	near(ramp_slope(&r), -2, 1e-9);
	assert_false(find(&r, shift, COUNT_OF(shift)));
	assert_false(find(&r, alike, COUNT_OF(alike)));
	assert_false(find(&r, down, 7));
}

/* About normal, of deviation 1. */
static double noise(struct rng *rng)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += rng_unit(rng);
	return sum;
}

static void over_seeds(void **state)
{
	static const size_t lengths[] = { 12, 20, 40, VALUES };
	static double v[VALUES];

	(void)state;
	for (size_t k = 0; k < COUNT_OF(lengths); k++) {
		size_t n = lengths[k], of_noise = 0, of_shift = 0, of_ramp = 0;

		for (uint64_t seed = 0; seed < SEEDS; seed++) {
			struct rng rng;
			struct ramp r;

			rng_init(&rng, seed);
			for (size_t i = 0; i < n; i++)
				v[i] = 100 + 5 * noise(&rng);
			of_noise += find(&r, v, n);
			for (size_t i = 0; i < n; i++)
				v[i] += i < n / 4 + seed % (n / 2) ? 0 : 30;
			of_shift += find(&r, v, n);
			for (size_t i = 0; i < n; i++)
				v[i] = 100 + 50 * (double)i / (double)n + 4 * noise(&rng);
			of_ramp += find(&r, v, n);
		}
		assert_true(of_noise <= 3);
		assert_true(of_shift <= 3);
		assert_true(of_ramp >= (n < 20 ? SEEDS / 3 : SEEDS * 9 / 10));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_hand),
		cmocka_unit_test(over_seeds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
