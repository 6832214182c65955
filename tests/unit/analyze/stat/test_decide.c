/* The rule: by hand at its borders, and by simulation, its false alarms and what it finds.
 *
 * A run of the simulation is n steps with a spread within the run, neighbours alike (AR(1)), times
 * a factor of the run, its noise between runs.  Seeds are fixed; the bounds are those of
 * docs/statistics.md within four standard errors of the simulation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/compare/change.h"
#include "analyze/compare/metricset.h"
#include "analyze/stat/decide.h"
#include "analyze/stat/quantile.h"
#include "analyze/stat/rng.h"
#include "base/arena.h"
#include "base/compiler.h"
#include "tests/unit/near.h"

static struct decide_change change(double estimate, double se, size_t n)
{
	return (struct decide_change){ estimate, se, INFINITY, false, n };
}

/* tolerance 0.05, se 0.01: reach 0.016449 */
static void borders(void **state)
{
	static const struct {
		double estimate;
		enum decision want;
		bool is_weak;
	} cases[] = {
		{ 0.0665, DECISION_FAIL, false },      /* lo 0.05005 */
		{ 0.0664, DECISION_NOISY, false },     /* lo 0.04995 */
		{ 0.0501, DECISION_NOISY, false },     /* above, lo below */
		{ 0.0500, DECISION_PASS, true },       /* not above */
		{ 0.0336, DECISION_PASS, true },       /* hi 0.05005 */
		{ 0.0335, DECISION_PASS, false },      /* hi 0.04995 */
		{ 0, DECISION_PASS, false },           /* */
		{ -0.0664, DECISION_PASS, false },     /* hi -0.04995 */
		{ -0.0665, DECISION_IMPROVED, false }, /* hi -0.05005 */
		{ NAN, DECISION_SKIP, false },         /* */
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		struct decide_change c = change(cases[i].estimate, 0.01, 1);
		struct decide_answer a = decide(&c, 0.05, 0.95, false);

		assert_int_equal(a.decision, cases[i].want);
		assert_int_equal(a.is_weak, cases[i].is_weak);
		near(a.hi - a.lo, isnan(cases[i].estimate) ? NAN : 2 * 0.016448536, 1e-6);
	}
	assert_string_equal(decision_word(DECISION_FAIL), "fail");
}

/* tolerance 0.05, reach 0.0164 and 0.0082: the word says what the interval shows, either way. */
static void verdicts(void **state)
{
	static const struct {
		double estimate, se;
		enum decide_verdict want;
	} cases[] = {
		{ 0.0665, 0.01, DECIDED_REGRESSION },
		{ 0.0664, 0.01, DECIDED_UNKNOWN },
		{ 0.0501, 0.01, DECIDED_UNKNOWN },
		{ 0.0500, 0.01, DECIDED_BELOW },
		{ 0.0165, 0.01, DECIDED_BELOW },
		{ 0.0164, 0.01, DECIDED_NO_CHANGE },
		{ 0, 0.01, DECIDED_NO_CHANGE },
		{ -0.0164, 0.01, DECIDED_NO_CHANGE },
		{ -0.0165, 0.01, DECIDED_BELOW },
		{ -0.0500, 0.01, DECIDED_BELOW },
		{ -0.0501, 0.01, DECIDED_UNKNOWN },
		{ -0.0665, 0.01, DECIDED_IMPROVEMENT },
		{ 0.06, 0.1, DECIDED_UNKNOWN },
		{ 0.04, 0.1, DECIDED_NO_CHANGE },
		{ 0.06, 0, DECIDED_REGRESSION },
		{ 0.04, 0, DECIDED_BELOW },
		{ NAN, 0.01, DECIDED_UNKNOWN },
	};
	struct decide_answer none = { .decision = DECISION_SKIP };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		struct decide_change c = change(cases[i].estimate, cases[i].se, 1);

		assert_string_equal(decide_verdict_word(decide(&c, 0.05, 0.95, false).verdict),
			decide_verdict_word(cases[i].want));
	}
	assert_string_equal(decide_verdict_word(none.verdict), "cannot tell");
}

/* The estimate alone: for counts, and where there is no error to speak of. */
static void estimates(void **state)
{
	struct decide_change c = change(0.06, 0.01, 2), exact = change(0.06, 0, 2);
	struct decide_answer a = decide(&c, 0.05, 0.95, true);

	(void)state;
	assert_int_equal(a.decision, DECISION_FAIL);
	assert_true(a.hi > 0.07); /* the interval is shown all the same */
	assert_int_equal(decide(&exact, 0.05, 0.95, false).decision, DECISION_FAIL);
	exact.se = NAN;
	assert_int_equal(decide(&exact, 0.07, 0.95, false).decision, DECISION_PASS);
	exact.estimate = 0;
	assert_int_equal(decide(&exact, 0, 0.95, false).decision, DECISION_PASS);
	exact.estimate = -1e-9;
	assert_int_equal(decide(&exact, 0, 0.95, false).decision, DECISION_IMPROVED);
}

/* 2 runs, reach 0.0164, above by 0.01: 2 (1.645)^2 = 5.4, so 6 */
static void runs_that_decide(void **state)
{
	struct decide_change c = change(0.06, 0.01, 2);

	(void)state;
	near(decide(&c, 0.05, 0.95, false).needed, 6, 0);
	c.estimate = 0.0664; /* 2.02, so 3 */
	near(decide(&c, 0.05, 0.95, false).needed, 3, 0);
	c.estimate = -0.0664; /* the other way round */
	near(decide(&c, 0.05, 0.95, false).needed, 3, 0);
	c.estimate = 0.04;
	assert_true(isnan(decide(&c, 0.05, 0.95, false).needed));
}

/* noise 2 %, one run on each side: sqrt(2) 0.02 and what the run says; three on each: measured */
static void errors(void **state)
{
	static const double base[] = { 1, 1.02, 0.98 }, now[] = { 1.1, 1.13, 1.07 };
	static const double within[] = { 1e-4, NAN, 3e-4 };
	struct decide_side b = decide_side_of(base, NULL, 1), n = decide_side_of(now, within, 1);
	struct decide_change c = decide_change_of(&b, &n, 0.02, INFINITY);

	(void)state;
	near(c.estimate, 0.1, 1e-12);
	near(c.se, sqrt(0.0008 + 1e-4), 1e-12);
	assert_true(isinf(c.df) && !c.is_measured && c.n == 1);
	b = decide_side_of(base, NULL, 3);
	n = decide_side_of(now, within, 3);
	near(n.within, 2e-4, 1e-12);
	c = decide_change_of(&b, &n, 0.02, INFINITY);
	assert_true(c.is_measured);
	near(c.se, sqrt(0.0004 / 3 + 0.0009 / 3), 1e-9);
	near(c.df, (0.0013 * 0.0013) / ((16e-8 + 81e-8) / 2), 1e-6);
	b.runs = 2;
	c = decide_change_of(&b, &n, 0.02, 9);
	near(c.se, sqrt(2e-4 / 3 + 0.0004 / 2 + 0.0004 / 3), 1e-9);
	near(c.df, 9, 0);
	b.runs = 0;
	assert_true(isnan(decide_change_of(&b, &n, 0.02, 9).estimate));
}

/* (1.645 + 0.8416) sqrt(2 / k) noise; t with 8 degrees of freedom for 5 runs: 1.8595 */
static void detectable(void **state)
{
	(void)state;
	near(decide_detectable(0.02, INFINITY, 1, 0.95), 0.02 * 2.486475 * M_SQRT2, 1e-6);
	near(decide_detectable(0.02, 4, 5, 0.95), 0.02 * (1.859548 + 0.8416212) * sqrt(0.4), 1e-6);
	assert_true(isnan(decide_detectable(0.02, 4, 0, 0.95)));
}

/* ---- simulation ---- */

struct world {
	size_t steps, runs;
	double within, rho, between; /* spread of steps, likeness of neighbours, spread of runs */
	double effect;               /* ratio of new to base */
};

/* One side: step times of each run, as gate has them.  Memory is the arena's. */
static struct metric make(struct rng *r, const struct world *w, double level, struct arena *mem)
{
	struct metric m = { .id = "step_time", .unit = UNIT_NS, .better = BETTER_LOWER };
	size_t k, i;

	m.sample = arena_array(mem, w->runs, sizeof(*m.sample));
	for (k = 0; k < w->runs; k++) {
		struct metric_sample *x = &m.sample[m.n++];
		double factor = log(level) + w->between * near_normal(r), last = near_normal(r);

		x->v = arena_array(mem, w->steps, sizeof(*x->v));
		for (i = 0; i < w->steps; i++) {
			x->v[x->n++] = 1e8 * exp(factor + w->within * last);
			last = w->rho * last + sqrt(1 - w->rho * w->rho) * near_normal(r);
		}
		x->count = (int64_t)x->n;
		x->sd = NAN;
		x->centre = quantile_median(x->v, x->n, mem);
	}
	return m;
}

/* The share of comparisons that the rule answers with FAIL. */
static double failing(const struct world *w, double tolerance, double noise, int times)
{
	const struct change_options o = {
		.noise = noise, .tolerance = tolerance, .confidence = 0.95
	};
	SCOPED_ARENA mem = { 0 };
	struct rng r;
	int i, failed = 0;

	rng_init(&r, RNG_SEED);
	for (i = 0; i < times; i++) {
		struct arena_mark mark = arena_mark(&mem);
		struct metric base = make(&r, w, 1, &mem), now = make(&r, w, w->effect, &mem);
		struct change c;

		change_of(&c, &base, &now, &o, &mem);
		failed += c.answer.decision == DECISION_FAIL;
		arena_reset(&mem, mark);
	}
	return (double)failed / times;
}

/* |share - want| within four standard errors of n draws, and half a unit of want's last digit */
static void rate(double share, double want, int n)
{
	double p = want < 0.002 ? 0.002 : want > 0.998 ? 0.998 : want;

	if (fabs(share - want) > 4 * sqrt(p * (1 - p) / n) + 0.005)
		fail_msg("rate %.4f, expected %.4f", share, want);
}

/* Identical code at the default tier (10 %) and at 5 %, noise declared as it is: at most 1 in 100,
 * whatever the number of steps and however alike they are. */
static void false_alarms(void **state)
{
	static const struct world worlds[] = {
		{ 20, 1, 0.02, 0, 0, 1 },
		{ 20, 1, 0.02, 0.5, 0.02, 1 },
		{ 5, 1, 0.02, 0, 0.02, 1 },
		{ 100, 1, 0.02, 0, 0.02, 1 },
		{ 100, 1, 0.05, 0.5, 0.02, 1 },
		{ 20, 2, 0.02, 0, 0.02, 1 },
		{ 20, 3, 0.02, 0, 0.02, 1 },
		{ 20, 5, 0.02, 0.5, 0.04, 1 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(worlds); i++) {
		double share = failing(&worlds[i], 0.10, 0.02, 2000);

		if (share > 0.01)
			fail_msg("world %zu: %.4f of identical pairs fail at 10 %%", i, share);
		share = failing(&worlds[i], 0.05, 0.02, 2000);
		if (share > 0.01)
			fail_msg("world %zu: %.4f of identical pairs fail at 5 %%", i, share);
	}
}

/* One run on each side, noise 2 % declared and true: 5 % of tolerance and 3 %. */
static void detection_of_single_runs(void **state)
{
	static const double effect[] = { 1, 1.05, 1.10, 1.15 };
	static const double at_5[] = { 0.001, 0.05, 0.50, 0.94 };
	static const double at_3[] = { 0.003, 0.17, 0.76, 0.99 };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(effect); i++) {
		struct world w = { 8, 1, 0.0001, 0, 0.02, effect[i] };

		rate(failing(&w, 0.05, 0.02, 3000), at_5[i], 3000);
		rate(failing(&w, 0.03, 0.02, 3000), at_3[i], 3000);
	}
}

/* The older rule on k runs: one-sided Welch p < .05 and an estimate above 3 %. */
static double older_rule(double between, size_t runs, double effect, int times)
{
	const struct world w = { 5, runs, 0.0001, 0, between, effect };
	const struct change_options o = { .noise = 0.02, .confidence = 0.95 };
	SCOPED_ARENA mem = { 0 };
	struct rng r;
	int i, failed = 0;

	rng_init(&r, RNG_SEED);
	for (i = 0; i < times; i++) {
		struct arena_mark mark = arena_mark(&mem);
		struct metric base = make(&r, &w, 1, &mem), now = make(&r, &w, w.effect, &mem);
		struct change c;

		change_of(&c, &base, &now, &o, &mem);
		failed += c.change.estimate > log(1.03) && c.answer.decision == DECISION_FAIL;
		arena_reset(&mem, mark);
	}
	return (double)failed / times;
}

/* k repeated runs: the table of the design, b = 2 % and 4 %, effects 0, 3, 5, 10 % */
static void detection_of_repeats(void **state)
{
	static const struct {
		double between;
		size_t runs;
		double want[4];
	} rows[] = {
		{ 0.02, 3, { .02, .34, .72, 1.0 } },
		{ 0.02, 4, { .01, .43, .88, 1.0 } },
		{ 0.02, 5, { .01, .49, .93, 1.0 } },
		{ 0.02, 8, { .00, .49, .98, 1.0 } },
		{ 0.04, 5, { .04, .26, .53, .95 } },
	};
	static const double effect[] = { 1, 1.03, 1.05, 1.10 };
	size_t i, j;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++)
		for (j = 0; j < COUNT_OF(effect); j++)
			rate(older_rule(rows[i].between, rows[i].runs, effect[j], 2000),
				rows[i].want[j], 1200); /* the table's own error counts, too */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(borders),
		cmocka_unit_test(verdicts),
		cmocka_unit_test(estimates),
		cmocka_unit_test(runs_that_decide),
		cmocka_unit_test(errors),
		cmocka_unit_test(detectable),
		cmocka_unit_test(false_alarms),
		cmocka_unit_test(detection_of_single_runs),
		cmocka_unit_test(detection_of_repeats),
	};

	return cmocka_run_group_tests_name("decide", tests, NULL, NULL);
}
