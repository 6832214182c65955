/* Drifts: steps and slopes drawn by hand, and how often noise alone is taken for one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/stat/drift.h"
#include "analyze/stat/rng.h"
#include "base/compiler.h"
#include "tests/unit/near.h"

enum { MOST = 60 };

/* +a, -a, +a ...: a spread of a and no trend to speak of. */
static size_t draw(double *v, size_t flat, size_t behind, double step, double slope)
{
	size_t i, n = flat + behind;

	for (i = 0; i < n; i++) {
		v[i] = i % 2 ? -0.002 : 0.002;
		if (i >= flat)
			v[i] += step + slope * (double)(i - flat + 1);
	}
	return n;
}

static struct drift find(const double *v, size_t n, double least, size_t reference)
{
	const struct drift_options o = { 0.001, least, reference };

	return drift_find(v, n, &o);
}

static void nothing(void **state)
{
	double v[MOST] = { 0 };
	size_t i;

	(void)state;
	assert_false(find(v, MOST, 0, 0).is_found);
	assert_false(find(v, draw(v, 30, 0, 0, 0), 0, 0).is_found);
	assert_false(find(v, draw(v, 4, 5, 1, 0), 0, 0).is_found); /* 9 values */
	/* one bad night, also the last one, is no drift */
	for (i = 0; i < 3; i++) {
		size_t n = draw(v, 30, 0, 0, 0);

		v[n - 1 - i] = 0.5;
		assert_false(find(v, n, 0, 0).is_found);
	}
	/* what falls is none */
	assert_false(find(v, draw(v, 20, 10, -0.1, 0), 0, 0).is_found);
}

static void a_step(void **state)
{
	double v[MOST];
	struct drift d = find(v, draw(v, 20, 10, 0.03, 0), 0.01, 0);

	(void)state;
	assert_true(d.is_found && !d.is_creep);
	assert_int_equal(d.since, 20);
	near(d.from, 0, 1e-12);
	near(d.to, 0.03, 1e-9);
	near(d.amount, 0.03, 1e-9);
	assert_true(d.lo > 0.028 && d.lo < 0.03 && d.p < 1e-10);
	/* it is there, and less than what counts */
	assert_false(find(v, 30, 0.04, 0).is_found);
	/* five values are enough of a level, and two are not */
	d = find(v, draw(v, 20, 5, 0.03, 0), 0.01, 0);
	assert_true(d.is_found && d.since == 20);
	assert_false(find(v, draw(v, 20, 2, 0.03, 0), 0.01, 0).is_found);
}

static void a_slope(void **state)
{
	double v[MOST];
	struct drift d = find(v, draw(v, 20, 30, 0, 0.001), 0.01, 0);

	(void)state;
	assert_true(d.is_found && d.is_creep);
	assert_in_range(d.since, 18, 22);
	near(d.slope, 0.001, 0.1);
	near(d.to, 0.03, 0.1);
	/* from the first value on */
	d = find(v, draw(v, 0, 20, 0, 0.002), 0.01, 0);
	assert_true(d.is_found && d.is_creep);
	near(d.slope, 0.002, 0.1);
}

/* A single value as the reference: the others say how much it may be off. */
static void one_reference(void **state)
{
	double v[MOST];
	size_t n = draw(v, 1, 20, 0.03, 0);

	(void)state;
	assert_true(find(v, n, 0.01, 1).is_found);
	assert_false(find(v, draw(v, 1, 20, 0, 0), 0.0, 1).is_found);
}

/* Noise alone, at an alpha that can be counted. */
static void false_finds(void **state)
{
	const struct drift_options o = { 0.05, 0, 0 };
	static const size_t lengths[] = { 10, 20, 40, 60 };
	enum { SERIES = 2000 };
	size_t i, k, l;

	(void)state;
	for (l = 0; l < COUNT_OF(lengths); l++) {
		struct rng r;
		double v[MOST];
		size_t found = 0;

		rng_init(&r, 20 + l);
		for (i = 0; i < SERIES; i++) {
			for (k = 0; k < lengths[l]; k++)
				v[k] = near_normal(&r);
			found += drift_find(v, lengths[l], &o).is_found;
		}
		print_message("%zu values: %.1f%% of noise is a drift at 5%%\n", lengths[l],
			100 * (double)found / SERIES);
		assert_true((double)found <= 0.05 * SERIES);
		assert_true((double)found >= 0.01 * SERIES);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing),
		cmocka_unit_test(a_step),
		cmocka_unit_test(a_slope),
		cmocka_unit_test(one_reference),
		cmocka_unit_test(false_finds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
