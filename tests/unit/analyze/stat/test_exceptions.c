/* Exceptions: sets drawn by hand, and over many seeds how often noise has some and how often
 * planted ones are found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/stat/exceptions.h"
#include "analyze/stat/rng.h"
#include "base/arena.h"
#include "base/compiler.h"

enum { VALUES_MAX = 200, SEEDS = 400 };

static bool is[VALUES_MAX];

/* Which of up to 32 values are exceptions, as bits. */
static uint32_t found(const double *v, size_t n)
{
	struct arena mem = { 0 };
	uint32_t set = 0;

	exceptions_find(v, n, is, NULL, &mem);
	arena_clear(&mem);
	for (size_t i = 0; i < n && i < 32; i++)
		set |= (uint32_t)is[i] << i;
	return set;
}

#define FOUND(...) found((const double[]){ __VA_ARGS__ }, COUNT_OF(((double[]){ __VA_ARGS__ })))

static void sets_by_hand(void **state)
{
	(void)state;
	/* Alike, or too few, or less than 7 % off. */
	assert_int_equal(FOUND(10, 10, 10, 10, 10, 10), 0);
	assert_int_equal(FOUND(10, 10, 10, 90), 0);
	assert_int_equal(FOUND(100, 100, 106, 100, 100, 100, 100), 0);
	assert_int_equal(FOUND(0, 0, 0, 0, 0, 0), 0);
	/* One; also beside one that is far longer; one that is short. */
	assert_int_equal(FOUND(100, 101, 99, 160, 100, 101), 1 << 3);
	assert_int_equal(FOUND(100, 101, 99, 9000, 100, 101, 160, 100), 1 << 3 | 1 << 6);
	assert_int_equal(FOUND(100, 101, 99, 40, 100, 101), 1 << 3);
	/* One of either side, as long. */
	assert_int_equal(FOUND(160, 101, 99, 100, 100, 40, 101, 100), 1 | 1 << 5);
	/* Every third; the first two; from the fifth on. */
	assert_int_equal(FOUND(100, 102, 120, 99, 99, 121, 101, 98, 119, 100), 0x124);
	assert_int_equal(FOUND(150, 130, 101, 99, 100, 102, 99, 101), 3);
	assert_int_equal(FOUND(100, 101, 99, 100, 140, 141, 139, 140), 0xf0);
	/* Of halves the longer ones, also where these lie closer together, and where they come
	 * first. */
	assert_int_equal(FOUND(20057, 20035, 20023, 20071, 20149, 20244, 28100, 28123, 28111, 28109,
				 28198, 28098),
		0xfc0);
	assert_int_equal(FOUND(28100, 28123, 28111, 28109, 28198, 28098, 20057, 20035, 20023, 20071,
				 20149, 20244),
		0x3f);
	/* Every second: half of them, as no more can be. */
	assert_int_equal(FOUND(100, 120, 101, 121, 99, 119, 100, 120, 101, 121), 0x2aa);
	/* One of a few that vary by as much. */
	assert_int_equal(FOUND(100, 80, 120, 80, 120, 100, 190, 100, 60), 0);
}

static void how_they_lie(void **state)
{
	static const struct {
		size_t at[4], n, all;
		enum exceptions_when when;
	} rows[] = {
		{ { 3 }, 1, 8, WHEN_ONE },
		{ { 0 }, 1, 8, WHEN_FIRST },
		{ { 0, 1 }, 2, 8, WHEN_FIRST },
		{ { 7 }, 1, 8, WHEN_ONE },
		{ { 5, 6, 7 }, 3, 8, WHEN_FROM },
		{ { 1, 4, 7 }, 3, 8, WHEN_EVERY },
		{ { 4, 9 }, 2, 12, WHEN_EVERY },
		{ { 4, 7 }, 2, 12, WHEN_SOME }, /* the tenth is not */
		{ { 1, 4, 6 }, 3, 8, WHEN_SOME },
		{ { 2, 3 }, 2, 4, WHEN_SOME },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		assert_int_equal(exceptions_when(rows[i].at, rows[i].n, rows[i].all), rows[i].when);
}

static double normal(struct rng *r)
{
	return sqrt(-2 * log(1 - rng_unit(r))) * cos(6.283185307179586 * rng_unit(r));
}

/* Of Student's law with three degrees of freedom. */
static double heavy(struct rng *r)
{
	double z = normal(r), a = normal(r), b = normal(r), c = normal(r);

	return z / sqrt((a * a + b * b + c * c) / 3);
}

/* All of it to one side. */
static double skewed(struct rng *r)
{
	return -log(1 - rng_unit(r));
}

/* Within bounds, from -1 to 1. */
static double even(struct rng *r)
{
	return 2 * rng_unit(r) - 1;
}

static const size_t lengths[] = { 5, 6, 7, 8, 10, 12, 16, 24, 32, 50, 100, 200 };

typedef double draw_fn(struct rng *r);

/* Steps of 100 with that noise, which have an exception: at most one run of a hundred. */
static void rate_of_noise(draw_fn *draw, double spread)
{
	size_t false_ones = 0, runs = 0;
	double v[VALUES_MAX];
	SCOPED_ARENA mem = { 0 };
	struct rng r;

	rng_init(&r, RNG_SEED);
	for (size_t k = 0; k < COUNT_OF(lengths); k++)
		for (size_t seed = 0; seed < SEEDS; seed++) {
			bool any = false;

			for (size_t i = 0; i < lengths[k]; i++)
				v[i] = fmax(100 * (1 + spread * draw(&r)), 1);
			exceptions_find(v, lengths[k], is, NULL, &mem);
			for (size_t i = 0; i < lengths[k]; i++)
				any |= is[i];
			false_ones += any;
			runs++;
			arena_reset(&mem, (struct arena_mark){ 0 });
		}
	print_message("noise %g: %zu of %zu runs\n", spread, false_ones, runs);
	assert_true(false_ones * 100 <= runs);
}

static void noise_has_none(void **state)
{
	(void)state;
	for (double spread = 0.005; spread < 0.2; spread *= 2) {
		rate_of_noise(normal, spread);
		rate_of_noise(heavy, spread);
		rate_of_noise(even, spread);
		if (spread < 0.03)
			rate_of_noise(skewed, spread);
	}
}

enum plant { PLANT_ONE, PLANT_EVERY, PLANT_FIRST, PLANT_LEVEL, PLANTS };

static bool is_planted(enum plant p, size_t i, size_t n, size_t at)
{
	switch (p) {
	case PLANT_ONE: return i == at;
	case PLANT_EVERY: return i % 5 == 4;
	case PLANT_FIRST: return i < 2;
	default: return i >= n / 2;
	}
}

/* Of 12 values or more, around 100, of which some are longer by that: in 95 of 100 runs just these
 * are found. */
static void rate_of_planted(enum plant p, double by, double spread)
{
	size_t right = 0, runs = 0;
	double v[VALUES_MAX];
	SCOPED_ARENA mem = { 0 };
	struct rng r;

	rng_init(&r, RNG_SEED + p);
	for (size_t k = 5; k < COUNT_OF(lengths); k++)
		for (size_t seed = 0; seed < SEEDS; seed++) {
			size_t at = 1 + rng_below(&r, lengths[k] - 1), n = lengths[k];
			bool same = true;

			for (size_t i = 0; i < n; i++)
				v[i] = 100 * (1 + spread * normal(&r)) +
					(is_planted(p, i, n, at) ? by : 0);
			exceptions_find(v, n, is, NULL, &mem);
			for (size_t i = 0; i < n; i++)
				same &= is[i] == is_planted(p, i, n, at);
			/* Either half of a level is the other's exception. */
			if (p == PLANT_LEVEL && !same) {
				same = true;
				for (size_t i = 0; i < n; i++)
					same &= is[i] != is_planted(p, i, n, at);
			}
			right += same;
			runs++;
			arena_reset(&mem, (struct arena_mark){ 0 });
		}
	print_message("planted %d, %g at %g: %zu of %zu runs\n", (int)p, by, spread, right, runs);
	assert_true(right * 100 >= runs * 95);
}

static void planted_are_found(void **state)
{
	(void)state;
	rate_of_planted(PLANT_ONE, 10, 0.0025);
	rate_of_planted(PLANT_ONE, 50, 0.01);
	rate_of_planted(PLANT_EVERY, 10, 0.0075);
	rate_of_planted(PLANT_FIRST, 10, 0.01);
	rate_of_planted(PLANT_LEVEL, 10, 0.01);
	rate_of_planted(PLANT_LEVEL, 20, 0.02);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets_by_hand),
		cmocka_unit_test(how_they_lie),
		cmocka_unit_test(noise_has_none),
		cmocka_unit_test(planted_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
