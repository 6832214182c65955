/* Curves: series to arrays, trends with their intervals, jumps told from trends, sparklines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/measure/curve.h"
#include "analyze/trace/columns/series.h"
#include "base/compiler.h"

#define NEAR(a, b, eps) assert_true(fabs((a) - (b)) <= (eps))

/* The next of a fixed sequence in [0, 1): Knuth's linear congruential generator. */
static double random_unit(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(*state >> 11) / 9007199254740992.0;
}

/* About standard normal: the sum of 12. */
static double random_normal(uint64_t *state)
{
	double sum = -6;
	int i;

	for (i = 0; i < 12; i++)
		sum += random_unit(state);
	return sum;
}

static void fill(struct curve *c, struct series *s, const double *x, const double *y, size_t n,
	struct arena *mem)
{
	size_t i;

	series_init(s, SPAN("v"), SPAN(""));
	for (i = 0; i < n; i++)
		series_add(s, x ? x[i] : (double)i, y[i]);
	curve_of(c, s, NULL, 0, mem);
}

/* Allocated GiB every 100 steps; scipy.stats.theilslopes: 2.0e-4 [1.8e-4, 2.5e-4], intercept
 * 10.485; kendalltau's exact p of S = 43 of 45. */
static void a_leak_of_the_literature(void **state)
{
	static const double y[] = { 10.50, 10.52, 10.51, 10.55, 10.58, 10.57, 10.61, 10.64, 10.66,
		10.67 };
	static const double x[] = { 0, 100, 200, 300, 400, 500, 600, 700, 800, 900 };
	struct curve_trend t;
	SCOPED_ARENA mem = { 0 };
	struct series s;
	struct curve c;

	(void)state;
	fill(&c, &s, x, y, COUNT_OF(y), &mem);
	assert_true(curve_trend(&t, &c, &mem));
	assert_int_equal(t.blocks, 10);
	NEAR(t.slope, 2.0e-4, 1e-12);
	NEAR(t.lo, 1.8e-4, 1e-12);
	NEAR(t.hi, 2.5e-4, 1e-12);
	NEAR(t.intercept, 10.485, 1e-9);
	assert_true(t.p < 1e-3);
	NEAR(t.slope * 1024, 0.205, 5e-4); /* MiB a step */
	series_clear(&s);
}

/* What is dropped: warm-up, steps that were not asked for, what a restart did again. */
static void restarts_and_filters(void **state)
{
	static const double x[] = { 0, 1, 2, 3, 4, 3, 4, 5 },
			    y[] = { 0, 10, 20, 30, 40, 31, 41, 51 };
	struct filter_range some = { 2, 4 };
	const struct filter_ranges steps = { &some, 1 };
	SCOPED_ARENA mem = { 0 };
	struct series s;
	struct curve c;

	(void)state;
	fill(&c, &s, x, y, COUNT_OF(x), &mem);
	assert_int_equal(c.n, 6);
	assert_int_equal(c.restarts, 1);
	assert_int_equal(c.dropped, 2);
	NEAR(c.y[3], 31, 0);
	curve_of(&c, &s, NULL, 2, &mem);
	assert_int_equal(c.n, 4);
	NEAR(c.x[0], 2, 0);
	curve_of(&c, &s, &steps, 0, &mem);
	assert_int_equal(c.n, 3);
	NEAR(c.y[0], 20, 0);
	NEAR(c.y[2], 41, 0);
	curve_of(&c, &s, NULL, 100, &mem);
	assert_int_equal(c.n, 0);
	/* A clock that is set back goes on where it was, and nothing is lost. */
	s.axis = AXIS_TIME;
	curve_of(&c, &s, NULL, 0, &mem);
	assert_int_equal(c.n, 8);
	assert_int_equal(c.dropped, 0);
	NEAR(c.x[5], 4, 0);
	NEAR(c.x[7], 6, 0);
	series_clear(&s);
}

/* Beyond SERIES_EXACT there are block means, and the slope is the same. */
static void long_series_are_blocks(void **state)
{
	struct curve_trend t;
	SCOPED_ARENA mem = { 0 };
	struct series s;
	struct curve c;
	int64_t i;

	(void)state;
	series_init(&s, SPAN("v"), SPAN(""));
	for (i = 0; i < SERIES_EXACT + 5000; i++)
		series_add(&s, (double)i, 3 + 0.25 * (double)i);
	curve_of(&c, &s, NULL, 10, &mem);
	assert_false(c.is_exact);
	assert_true(c.n <= SERIES_BLOCKS && c.n > 100);
	assert_true(curve_trend(&t, &c, &mem));
	NEAR(t.slope, 0.25, 1e-9);
	assert_true(t.p < 1e-9);
	series_clear(&s);
}

static void too_little_for_a_trend(void **state)
{
	static const double x[] = { 5, 5, 5, 5, 5 }, y[] = { 1, 2, 3, 4, 5 };
	struct curve_trend t;
	struct curve_jump j;
	SCOPED_ARENA mem = { 0 };
	struct series s;
	struct curve c;

	(void)state;
	fill(&c, &s, NULL, y, 3, &mem);
	assert_false(curve_trend(&t, &c, &mem));
	assert_true(isnan(t.slope));
	series_clear(&s);
	fill(&c, &s, x, y, 5, &mem); /* one place */
	assert_false(curve_trend(&t, &c, &mem));
	curve_jump(&j, &c, &mem);
	assert_int_equal(j.at, 0);
	assert_int_equal(curve_spark(&c, 0, &mem).n, 0);
	series_clear(&s);
}

/* AR(1) noise with phi 0.6 and no trend, 200 values, 200 times: with p < 0.01 at most 5 % are
 * called a trend (blocks as long as the noise remembers; one by one it would be about 15 %). */
static void noise_is_no_trend(void **state)
{
	uint64_t random = 1;
	size_t run, i, found = 0;
	double y[200], v = 0;

	(void)state;
	for (run = 0; run < 200; run++) {
		struct curve_trend t;
		struct arena mem = { 0 };
		struct series s;
		struct curve c;

		for (i = 0; i < COUNT_OF(y); i++)
			y[i] = v = 0.6 * v + random_normal(&random);
		fill(&c, &s, NULL, y, COUNT_OF(y), &mem);
		assert_true(curve_trend(&t, &c, &mem));
		assert_true(t.lo <= t.slope && t.slope <= t.hi);
		found += t.p < 0.01;
		series_clear(&s);
		arena_clear(&mem);
	}
	assert_true(found <= 10);
}

/* 40 values around 5, then 40 around 7: a jump at 40, and nothing else; a line is no jump. */
static void a_jump_is_no_trend(void **state)
{
	uint64_t random = 7;
	double y[80];
	struct curve_jump j;
	SCOPED_ARENA mem = { 0 };
	struct series s;
	struct curve c;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(y); i++)
		y[i] = (i < 40 ? 5 : 7) + 0.05 * random_normal(&random);
	fill(&c, &s, NULL, y, COUNT_OF(y), &mem);
	curve_jump(&j, &c, &mem);
	assert_int_equal(j.at, 40);
	NEAR(j.x, 40, 0);
	NEAR(j.size, 2, 0.05);
	assert_true(j.explains);
	series_clear(&s);
	for (i = 0; i < COUNT_OF(y); i++)
		y[i] = 5 + 0.05 * (double)i + 0.05 * random_normal(&random);
	fill(&c, &s, NULL, y, COUNT_OF(y), &mem);
	curve_jump(&j, &c, &mem);
	assert_false(j.explains);
	series_clear(&s);
}

/* By hand: medians of ten blocks of four. */
static void what_moves(void **state)
{
	double y[40];
	SCOPED_ARENA mem = { 0 };
	struct series s;
	struct curve c;
	size_t i;

	(void)state;
	for (i = 0; i < 40; i++)
		y[i] = 3;
	fill(&c, &s, NULL, y, 40, &mem);
	assert_true(curve_moves(&c, &mem) == 0);
	series_clear(&s);
	for (i = 0; i < 40; i++) /* medians 1.5 to 37.5 of 0 to 39 */
		y[i] = (double)i;
	fill(&c, &s, NULL, y, 40, &mem);
	NEAR(curve_moves(&c, &mem), 36.0 / 39, 1e-12);
	series_clear(&s);
	for (i = 0; i < 40; i++) /* each block 0 0 1 1 */
		y[i] = (double)(i / 2 % 2);
	fill(&c, &s, NULL, y, 40, &mem);
	assert_true(curve_moves(&c, &mem) == 0);
	series_clear(&s);
	fill(&c, &s, NULL, y, 7, &mem); /* one block */
	assert_true(isnan(curve_moves(&c, &mem)));
	series_clear(&s);
	y[1] = y[0] = 5;
	fill(&c, &s, NULL, y, 1, &mem);
	assert_true(curve_moves(&c, &mem) == 0);
	series_clear(&s);
}

static void sparklines(void **state)
{
	static const double y[] = { 0, 1, 2, 3, 4, 5, 6, 7 }, flat[] = { 4, 4, 4 };
	static const double huge[] = { -1e308, 0, 1e308 }; /* their distance is not a number */
	static const double least[] = { 0, 5e-324, 0 };
	double endless[] = { -INFINITY, 0, 1 }, equal[1000];
	size_t i;
	SCOPED_ARENA mem = { 0 };
	struct series s;
	struct curve c;

	(void)state;
	fill(&c, &s, NULL, y, 8, &mem);
	assert_true(span_is(curve_spark(&c, 8, &mem), "▁▂▃▄▅▆▇█"));
	assert_true(span_is(curve_spark(&c, 2, &mem), "▁█"));
	assert_true(span_is(curve_spark(&c, 100, &mem), "▁▂▃▄▅▆▇█"));
	series_clear(&s);
	fill(&c, &s, NULL, flat, 3, &mem);
	assert_true(span_is(curve_spark(&c, 8, &mem), "▁▁▁"));
	series_clear(&s);
	fill(&c, &s, NULL, huge, 3, &mem);
	assert_true(span_is(curve_spark(&c, 8, &mem), "▁▅█"));
	series_clear(&s);
	fill(&c, &s, NULL, least, 3, &mem);
	assert_int_equal(curve_spark(&c, 8, &mem).n, 9);
	series_clear(&s);
	for (i = 0; i < COUNT_OF(equal); i++) /* whose means round this way and that */
		equal[i] = 0.1;
	c = (struct curve){ .y = equal, .n = COUNT_OF(equal) };
	assert_true(span_is(curve_spark(&c, 16, &mem), "▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁"));
	c = (struct curve){ .y = endless, .n = COUNT_OF(endless) };
	assert_true(span_is(curve_spark(&c, 8, &mem), "▁▁▁"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_leak_of_the_literature),
		cmocka_unit_test(restarts_and_filters),
		cmocka_unit_test(long_series_are_blocks),
		cmocka_unit_test(too_little_for_a_trend),
		cmocka_unit_test(noise_is_no_trend),
		cmocka_unit_test(a_jump_is_no_trend),
		cmocka_unit_test(what_moves),
		cmocka_unit_test(sparklines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
