/* `metrics` on logs made by hand: windows, quantiles, trends, axes, mistakes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/answer/metrics/metrics.h"
#include "analyze/analysis/analysis.h"
#include "analyze/trace/columns/record.h"
#include "base/compiler.h"
#include "tests/unit/analyze/answer/metrics/handlog.h"
#include "tests/unit/handmade.h"

#define NEAR(a, b, eps) assert_true(fabs((a) - (b)) <= (eps))

/* 1 .. 10: numpy.percentile 95 is 9.55, 25 is 3.25; std 3.0277 (n - 1), 2.8723 (n); the window of 4
 * is 7 8 9 10: mean 8.5, std 1.2910.  No p99 below 100 values. */
static void windows_and_quantiles(void **state)
{
	struct metrics_options o = log_defaults();
	struct hand_answer h;
	const struct table *t;
	struct series *s;
	struct run r;
	int i;

	(void)state;
	log_new(&r);
	s = log_series(&r, "v", MEASURE_NONE);
	for (i = 1; i <= 10; i++)
		series_add(s, i, i);
	series_add(s, 11, NAN);
	series_add(s, 12, INFINITY);
	series_add_missing(s);
	o.window = 4;
	log_ask_with(&h, &r, &o);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "keys");
	NEAR(hand_real(t, 0, "p95"), 9.55, 1e-12);
	NEAR(hand_real(t, 0, "p25"), 3.25, 1e-12);
	NEAR(hand_real(t, 0, "median"), 5.5, 1e-12);
	NEAR(hand_real(t, 0, "std"), 3.0276503541, 1e-9);
	NEAR(hand_real(t, 0, "window_mean"), 8.5, 1e-12);
	NEAR(hand_real(t, 0, "window_std"), 1.2909944487, 1e-9);
	NEAR(hand_real(t, 0, "last"), 10, 0);
	NEAR(hand_real(t, 0, "slope"), 1, 1e-12);
	assert_false(hand_knows(t, 0, "p99"));
	assert_false(hand_knows(t, 0, "trend"));
	assert_int_equal(hand_int(t, 0, "nan"), 1);
	assert_int_equal(hand_int(t, 0, "inf"), 1);
	assert_int_equal(hand_int(t, 0, "missing"), 1);
	assert_true(log_found(&h, "D05"));
	hand_release(&h);
	o.ddof = 0;
	log_ask_with(&h, &r, &o);
	NEAR(hand_real(hand_table(&h, "keys"), 0, "std"), 2.8722813233, 1e-9);
	hand_release(&h);
	run_clear(&r);
}

/* 1 .. 100: numpy.percentile 95 is 95.05, 99 is 99.01; the first 10 are warm-up only if 50 are
 * there. */
static void warmup_is_cut_of_long_ones(void **state)
{
	struct metrics_options o = log_defaults();
	struct hand_answer h;
	const struct table *t;
	struct series *a, *b;
	struct run r;
	int i;

	(void)state;
	log_new(&r);
	a = log_series(&r, "long", MEASURE_NONE);
	b = log_series(&r, "short", MEASURE_NONE);
	for (i = 1; i <= 100; i++)
		series_add(a, i, i);
	for (i = 1; i <= 49; i++)
		series_add(b, i, i);
	o.warmup = 0;
	log_ask_with(&h, &r, &o);
	t = hand_table(&h, "keys");
	NEAR(hand_real(t, 0, "p95"), 95.05, 1e-12);
	NEAR(hand_real(t, 0, "p99"), 99.01, 1e-12);
	hand_release(&h);
	log_ask(&h, &r);
	t = hand_table(&h, "keys");
	assert_int_equal(hand_int(t, 0, "count"), 90);
	assert_int_equal(hand_int(t, 0, "warmup"), 10);
	NEAR(hand_real(t, 0, "min"), 11, 0);
	assert_int_equal(hand_int(t, 1, "count"), 49);
	hand_release(&h);
	run_clear(&r);
}

/* Overall mean 0.5, last 100 values 0.2: the documents' example of why windows matter. */
static void the_documents_window(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct series *s;
	struct metrics_options o = log_defaults();
	struct run r;
	int i;

	(void)state;
	log_new(&r);
	s = log_series(&r, "loss", MEASURE_NONE);
	for (i = 0; i < 400; i++)
		series_add(s, i, i < 300 ? 0.6 : 0.2);
	o.warmup = 0;
	log_ask_with(&h, &r, &o);
	t = hand_table(&h, "keys");
	NEAR(hand_real(t, 0, "mean"), 0.5, 1e-12);
	NEAR(hand_real(t, 0, "window_mean"), 0.2, 1e-12);
	assert_true(span_is(hand_text(t, 0, "trend"), "improving"));
	NEAR(hand_real(t, 0, "change_ratio"), -2.0 / 3, 1e-9);
	hand_release(&h);
	run_clear(&r);
}

static void trends_have_words(void **state)
{
	static const struct {
		const char *name;
		double slope;
		const char *word;
	} cases[] = { { "train/loss", -0.001, "improving" }, { "train/loss", 0.001, "worsening" },
		{ "train/loss", 0, "plateau" }, { "reward", 0.001, "improving" },
		{ "eval/accuracy", -0.001, "worsening" }, { "kl", 0.001, "rising" },
		{ "step_time", -0.001, "falling" }, { "step_time", 0, "stable" } };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		struct hand_answer h;
		struct span word;
		struct run r;

		log_ask_about(&h, &r, cases[i].name, 400, 2, cases[i].slope, 0.01);
		word = hand_text(hand_table(&h, "keys"), 0, "trend");
		if (!span_is(word, cases[i].word))
			fail_msg("%s %g: %.*s", cases[i].name, cases[i].slope, (int)word.n, word.p);
		assert_true(log_found(&h, "D03") == (strcmp(cases[i].word, "plateau") == 0));
		hand_release(&h);
		run_clear(&r);
	}
}

/* 20,000 tokens a step, 2 s a step: the slope over tokens is 1/20000, over time 1/2. */
static void other_axes(void **state)
{
	struct metrics_options o = log_defaults();
	struct hand_answer h;
	struct series *v, *tokens, *step;
	struct run r;
	int i;

	(void)state;
	log_new(&r);
	v = log_series(&r, "loss", MEASURE_NONE);
	tokens = log_series(&r, "num_tokens", MEASURE_NONE);
	step = log_series(&r, "step_time", MEASURE_S);
	for (i = 0; i < 20; i++) {
		series_add(v, i, i);
		series_add(tokens, i, 20000 * i);
		series_add(step, i, 2);
	}
	o.x = "tokens";
	log_ask_with(&h, &r, &o);
	NEAR(hand_real(hand_table(&h, "keys"), 0, "slope"), 1 / 20000.0, 1e-12);
	hand_release(&h);
	o.x = "time";
	log_ask_with(&h, &r, &o);
	NEAR(hand_real(hand_table(&h, "keys"), 0, "slope"), 0.5, 1e-12);
	hand_release(&h);
	run_clear(&r);
	log_new(&r);
	series_add(log_series(&r, "v", MEASURE_NONE), 0, 1);
	log_ask_with(&h, &r, &o);
	assert_int_equal(h.status, E_NODATA);
	hand_release(&h);
	run_clear(&r);
}

/* Beyond what is kept one by one: mean and extremes exact, quantiles near. */
static void long_series(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct series *s;
	struct run r;
	int i;

	(void)state;
	log_new(&r);
	s = log_series(&r, "loss", MEASURE_NONE);
	for (i = 0; i < 100000; i++)
		series_add(s, i, i % 1000);
	log_ask(&h, &r);
	t = hand_table(&h, "keys");
	assert_true(span_is(hand_text(t, 0, "quantile"), "sample"));
	NEAR(hand_real(t, 0, "mean"), 499.5, 1e-6);
	NEAR(hand_real(t, 0, "max"), 999, 0);
	NEAR(hand_real(t, 0, "median"), 499.5, 30);
	NEAR(hand_real(t, 0, "window_mean"), 949.5, 1e-9);
	hand_release(&h);
	run_clear(&r);
}

static void nothing_is_an_error(void **state)
{
	struct hand_answer h;
	struct metrics_options o = log_defaults();
	struct run r;

	(void)state;
	log_new(&r);
	log_ask_with(&h, &r, &o);
	assert_int_equal(h.status, E_NODATA);
	hand_release(&h);
	series_add(log_series(&r, "loss", MEASURE_NONE), 0, 1);
	o.key = "nothing of that name";
	log_ask_with(&h, &r, &o);
	assert_int_equal(h.status, E_NODATA);
	hand_release(&h);
	o.key = "(";
	log_ask_with(&h, &r, &o);
	assert_int_equal(h.status, E_USAGE);
	hand_release(&h);
	run_clear(&r);
}

/* A log and samples of nvidia-smi: these are left to `smi`, unless they are asked for or alone. */
static void samples_of_smi_are_left(void **state)
{
	struct metrics_options o = log_defaults();
	struct hand_answer h;
	struct series *s;
	struct run r;

	(void)state;
	log_new(&r);
	series_add(log_series(&r, "loss", MEASURE_NONE), 0, 1);
	(void)record_artifact(r.record, "gpu_usage.csv", "smi_csv", "samples of nvidia-smi");
	s = record_series(r.record, 1, SPAN("utilization.gpu"), SPAN("0"));
	series_add(s, 0, 50);
	log_ask(&h, &r);
	assert_int_equal(hand_table(&h, "keys")->nrow, 1);
	hand_release(&h);
	o.key = ".";
	log_ask_with(&h, &r, &o);
	assert_int_equal(hand_table(&h, "keys")->nrow, 2);
	hand_release(&h);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows_and_quantiles),
		cmocka_unit_test(warmup_is_cut_of_long_ones),
		cmocka_unit_test(the_documents_window),
		cmocka_unit_test(trends_have_words),
		cmocka_unit_test(other_axes),
		cmocka_unit_test(long_series),
		cmocka_unit_test(nothing_is_an_error),
		cmocka_unit_test(samples_of_smi_are_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
