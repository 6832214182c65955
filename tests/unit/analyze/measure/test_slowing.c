/* Steps that get slower: found where they do, and not made of noise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/measure/curve.h"
#include "analyze/stat/rng.h"
#include "base/arena.h"

enum { MOST = 400, RUNS = 200 };

struct steps {
	double x[MOST], y[MOST];
	struct curve c;
	struct rng rng;
};

static void near(double got, double want, double by)
{
	assert_true(fabs(got - want) <= by);
}

/* About normal, with that deviation. */
static double noise(struct steps *s, double deviation)
{
	double sum = 0;
	int i;

	for (i = 0; i < 12; i++)
		sum += rng_unit(&s->rng);
	return (sum - 6) * deviation;
}

static void begin(struct steps *s, uint64_t seed, size_t n)
{
	s->c = (struct curve){ s->x, s->y, n, true, 0, 0, NULL, NULL };
	rng_init(&s->rng, seed);
}

static struct slowing look(struct steps *s)
{
	struct slowing found;
	SCOPED_ARENA mem = { 0 };

	slowing_of(&found, &s->c, 0.05, &mem);
	return found;
}

static void test_jump(void **state)
{
	struct steps s;
	struct slowing f;
	size_t i;

	(void)state;
	begin(&s, 1, 300);
	for (i = 0; i < s.c.n; i++) {
		s.x[i] = (double)i;
		s.y[i] = (i < 200 ? 1 : 1.78) * (1 + noise(&s, 0.03));
	}
	f = look(&s);
	assert_true(f.is_found && f.is_jump);
	near(f.x, 200, 0);
	near(f.to / f.from, 1.78, 0.02);
}

static void test_creeping(void **state)
{
	struct steps s;
	struct slowing f;
	size_t i;

	(void)state;
	begin(&s, 2, 400);
	for (i = 0; i < s.c.n; i++) {
		s.x[i] = (double)i;
		s.y[i] = 1 + 0.78 * (double)i / 400 + noise(&s, 0.05);
	}
	f = look(&s);
	assert_true(f.is_found);
	assert_false(f.is_jump);
	assert_true(f.to > 1.6 && f.from < 1.2);
	near(f.slope, 0.78 / 400, 0.0001);
	/* Flat for the first half: the slope is that of the other, and begins there. */
	for (i = 0; i < s.c.n; i++)
		s.y[i] = 1 + 0.78 * fmax((double)i - 200, 0) / 200 + noise(&s, 0.01);
	f = look(&s);
	assert_true(f.is_found && !f.is_jump);
	near(f.x, 200, 10);
	near(f.slope, 0.78 / 200, 0.0003);
}

/* Of 200 runs of noise, a third with neighbours that are alike, next to none is slower. */
static void test_noise(void **state)
{
	static const size_t lengths[] = { 20, 40, 400 };
	struct steps s;
	size_t run, i, found = 0;

	(void)state;
	for (run = 0; run < RUNS; run++) {
		double last = 0;

		begin(&s, 100 + run, lengths[run % 3]);
		for (i = 0; i < s.c.n; i++) {
			last = (run % 2 ? 0.8 * last : 0) + noise(&s, 0.1);
			s.x[i] = (double)i;
			s.y[i] = 1 + last;
		}
		found += look(&s).is_found;
	}
	assert_true(found <= 4);
}

/* Single slow steps, faster ones, and too few. */
static void test_other(void **state)
{
	struct steps s;
	size_t i;

	(void)state;
	begin(&s, 3, 200);
	for (i = 0; i < s.c.n; i++) {
		s.x[i] = (double)i;
		s.y[i] = (i % 40 == 39 ? 3 : 1) + noise(&s, 0.02);
	}
	assert_false(look(&s).is_found);
	for (i = 0; i < s.c.n; i++)
		s.y[i] = i < 100 ? 2 : 1;
	assert_false(look(&s).is_found);
	s.c.n = 19;
	assert_false(look(&s).is_known);
}

static void test_spread(void **state)
{
	double x[] = { 0, 1, 2, 3 }, y[] = { 1, 1, 3, 3 };
	struct curve c = { x, y, 4, true, 0, 0, NULL, NULL };

	(void)state;
	near(slowing_spread(&c), sqrt(4.0 / 3) / 2, 1e-12);
	c.n = 1;
	assert_true(isnan(slowing_spread(&c)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_jump),
		cmocka_unit_test(test_creeping),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_other),
		cmocka_unit_test(test_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
