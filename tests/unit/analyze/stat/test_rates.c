/* Why the rule is as it is: how often tests that take steps or calls for samples call identical
 * code different.  Runs are drawn as in test_decide.c; the rates are those of the design's own
 * simulation, within four standard errors of both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/stat/bh.h"
#include "analyze/stat/mannwhitney.h"
#include "analyze/stat/quantile.h"
#include "analyze/stat/rng.h"
#include "base/arena.h"
#include "base/compiler.h"
#include "tests/unit/near.h"

enum { TIMES = 1000, STEPS_MAX = 500, STEPS = 6, CALLS = 96, OPS = 300 };

static void rate(const char *what, double share, double want, int n)
{
	double p = want < 0.002 ? 0.002 : want > 0.998 ? 0.998 : want;

	if (fabs(share - want) > 4 * sqrt(2 * p * (1 - p) / n) + 0.005)
		fail_msg("%s: rate %.4f, expected %.4f", what, share, want);
}

/* Step times of one run: spread within, likeness of neighbours, spread between runs. */
static void draw(struct rng *r, double *v, size_t n, double within, double rho, double between)
{
	double factor = between * near_normal(r), last = near_normal(r);
	size_t i;

	for (i = 0; i < n; i++) {
		v[i] = exp(factor + within * last);
		last = rho * last + sqrt(1 - rho * rho) * near_normal(r);
	}
}

/* Two runs of the same code: how often Mann-Whitney on their steps says p < 0.05, and how often the
 * medians differ by more than 5 % besides. */
static void steps_are_no_sample(void **state)
{
	static const struct {
		size_t n;
		double rho, between, significant, large;
	} rows[] = {
		{ 20, 0, 0, 0.05, 0.00 },
		{ 20, 0.5, 0, 0.24, 0.00 },
		{ 5, 0, 0.02, 0.29, 0.11 },
		{ 100, 0, 0.01, 0.70, 0.00 },
		{ 100, 0, 0.02, 0.85, 0.09 },
		{ 500, 0.5, 0.02, 0.93, 0.08 },
	};
	static double x[STEPS_MAX], y[STEPS_MAX];
	SCOPED_ARENA mem = { 0 };
	struct rng r;
	size_t k;
	int i;

	(void)state;
	for (k = 0; k < COUNT_OF(rows); k++) {
		int significant = 0, large = 0;

		rng_init(&r, RNG_SEED);
		for (i = 0; i < TIMES; i++) {
			struct arena_mark mark = arena_mark(&mem);
			double ratio;
			bool is_low;

			draw(&r, x, rows[k].n, 0.02, rows[k].rho, rows[k].between);
			draw(&r, y, rows[k].n, 0.02, rows[k].rho, rows[k].between);
			is_low = mannwhitney_test(x, rows[k].n, y, rows[k].n, &mem).p < 0.05;
			ratio = quantile_median(y, rows[k].n, &mem) /
				quantile_median(x, rows[k].n, &mem);
			significant += is_low;
			large += is_low && fabs(ratio - 1) > 0.05;
			arena_reset(&mem, mark);
		}
		rate("p < 0.05", (double)significant / TIMES, rows[k].significant, TIMES);
		rate("and 5 %", (double)large / TIMES, rows[k].large, TIMES);
	}
}

/* One op, six steps of 96 calls a side; calls of a step share a factor. */
static void draw_calls(struct rng *r, double *call, double *sum)
{
	size_t i, k;

	for (i = 0; i < STEPS; i++) {
		double factor = exp(0.02 * near_normal(r));

		sum[i] = 0;
		for (k = 0; k < CALLS; k++) {
			call[i * CALLS + k] = factor * exp(0.05 * near_normal(r));
			sum[i] += call[i * CALLS + k];
		}
	}
}

/* Calls as a sample are wrong in about half of all cases; sums by step in 4.1 %, all that 6 and 6
 * can. */
static void calls_are_no_sample(void **state)
{
	static double a[STEPS * CALLS], b[STEPS * CALLS];
	double x[STEPS], y[STEPS];
	int i, by_call = 0, by_step = 0;
	SCOPED_ARENA mem = { 0 };
	struct rng r;

	(void)state;
	rng_init(&r, RNG_SEED);
	for (i = 0; i < TIMES; i++) {
		struct arena_mark mark = arena_mark(&mem);

		draw_calls(&r, a, x);
		draw_calls(&r, b, y);
		by_call += mannwhitney_test(a, COUNT_OF(a), b, COUNT_OF(b), &mem).p < 0.05;
		by_step += mannwhitney_test(x, STEPS, y, STEPS, &mem).p < 0.05;
		arena_reset(&mem, mark);
	}
	rate("calls", (double)by_call / TIMES, 0.58, TIMES);
	rate("sums by step", (double)by_step / TIMES, 0.0411, TIMES);
}

/* 300 ops that did not change: 12.3 are significant, and none is after the adjustment. */
static void many_ops(void **state)
{
	double x[STEPS], y[STEPS], p[OPS], q[OPS];
	size_t i, k, times, significant = 0;
	SCOPED_ARENA mem = { 0 };
	struct rng r;

	(void)state;
	rng_init(&r, RNG_SEED);
	for (times = 0; times < 20; times++) {
		for (i = 0; i < OPS; i++) {
			for (k = 0; k < STEPS; k++) {
				x[k] = near_normal(&r);
				y[k] = near_normal(&r);
			}
			p[i] = mannwhitney_test(x, STEPS, y, STEPS, &mem).p;
			significant += p[i] < 0.05;
		}
		bh_adjust(p, OPS, q, &mem);
		for (i = 0; i < OPS; i++)
			assert_true(q[i] > 0.05);
	}
	rate("ops", (double)significant / (20 * OPS), 12.3 / OPS, 20 * OPS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_are_no_sample),
		cmocka_unit_test(calls_are_no_sample),
		cmocka_unit_test(many_ops),
	};

	return cmocka_run_group_tests_name("rates", tests, NULL, NULL);
}
