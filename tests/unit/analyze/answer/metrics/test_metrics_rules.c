/* `metrics` on logs made by hand: what its rules find, memory above all. */
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
#define GIB             1073741824.0

/* A loss that falls to 1 and then rises to 2: D02 sees it; its ends are 3 and 2, so the documents'
 * rule D01 does not.  One that rises from 1 to 2 all the way: both.  One that falls: none. */
static void divergence(void **state)
{
	struct hand_answer h;
	struct series *s;
	uint64_t random = 5;
	struct run r;
	int i;

	(void)state;
	log_new(&r);
	s = log_series(&r, "loss", MEASURE_NONE);
	for (i = 0; i < 500; i++)
		series_add(s, i,
			(i < 250 ? 3 - 2 * i / 250.0 : 1 + (i - 250) / 250.0) +
				0.01 * log_noise(&random));
	log_ask(&h, &r);
	assert_true(log_found(&h, "D02"));
	assert_false(log_found(&h, "D01"));
	hand_release(&h);
	run_clear(&r);
	log_ask_about(&h, &r, "loss", 500, 1, 0.002, 0.01);
	assert_true(log_found(&h, "D02"));
	assert_true(log_found(&h, "D01"));
	hand_release(&h);
	run_clear(&r);
	log_ask_about(&h, &r, "loss", 500, 3, -0.004, 0.01);
	assert_false(log_found(&h, "D02"));
	assert_false(log_found(&h, "D01"));
	hand_release(&h);
	run_clear(&r);
	/* A loss below 0 that rises from -1 towards 0 and one that sinks. */
	log_ask_about(&h, &r, "loss", 500, -1, 0.001, 0.01);
	assert_true(log_found(&h, "D02"));
	hand_release(&h);
	run_clear(&r);
	/* A policy's says nothing of how good the run is. */
	log_ask_about(&h, &r, "policy_loss", 500, -1, 0.001, 0.01);
	assert_false(log_found(&h, "D02"));
	hand_release(&h);
	run_clear(&r);
}

static void spikes_and_gradients(void **state)
{
	struct hand_answer h;
	struct series *s;
	uint64_t random = 9;
	struct span text;
	struct run r;
	int i;

	(void)state;
	log_new(&r);
	s = log_series(&r, "loss", MEASURE_NONE);
	for (i = 0; i < 300; i++) /* two spikes, one of them three values long */
		series_add(s, i,
			(i == 100 || (i >= 200 && i < 203) ? 9 : 1) + 0.01 * log_noise(&random));
	s = log_series(&r, "grad_norm", MEASURE_NONE);
	for (i = 0; i < 300; i++)
		series_add(s, i, i < 200 ? 1 : 3);
	log_ask(&h, &r);
	text = hand_text(hand_table(&h, "findings"),
		log_row(hand_table(&h, "findings"), "rule", "D04"), "text");
	if (!span_starts(text, "2 spikes, 0 not back"))
		fail_msg("%.*s", (int)text.n, text.p);
	text = hand_text(hand_table(&h, "findings"),
		log_row(hand_table(&h, "findings"), "rule", "D06"), "text");
	assert_true(span_starts(text, "exploding"));
	hand_release(&h);
	run_clear(&r);
}

/* The row of the literature: +0.0002 GiB a step [1.8e-4, 2.5e-4], 0.205 MiB: a leak; the documents'
 * rule needs 0.5 GiB and is silent. */
static void a_leak(void **state)
{
	static const double gib[] = { 10.50, 10.52, 10.51, 10.55, 10.58, 10.57, 10.61, 10.64, 10.66,
		10.67 };
	struct metrics_options o = log_defaults();
	struct hand_answer h;
	const struct table *t;
	struct series *s;
	struct run r;
	size_t i;

	(void)state;
	log_new(&r);
	s = log_series(&r, "allocated_gb", MEASURE_GIB);
	for (i = 0; i < COUNT_OF(gib); i++)
		series_add(s, (double)i * 100, gib[i]);
	o.capacity = "16GiB";
	log_ask_with(&h, &r, &o);
	t = hand_table(&h, "memory");
	assert_true(span_is(hand_text(t, 0, "verdict"), "leak"));
	assert_true(span_is(hand_text(t, 0, "documents_say"), "no leak"));
	NEAR(hand_real(t, 0, "slope_bytes_per_step"), 2e-4 * GIB, 1);
	NEAR(hand_real(t, 0, "slope_lo_bytes_per_step"), 1.8e-4 * GIB, 1);
	NEAR(hand_real(t, 0, "slope_hi_bytes_per_step"), 2.5e-4 * GIB, 1);
	NEAR(hand_real(t, 0, "growth_bytes"), 0.17 * GIB, 2);
	NEAR(hand_real(t, 0, "steps_to_full"), (16 - 10.67) / 2e-4, 1);
	assert_true(log_found(&h, "D07"));
	hand_release(&h);
	run_clear(&r);
}

/* Values by a function of the step, in GiB. */
static void memory_of(struct run *r, const char *name, int n, double (*of)(int i), double deviation)
{
	struct series *s = log_series(r, name, MEASURE_GIB);
	uint64_t random = 11;
	int i;

	for (i = 0; i < n; i++)
		series_add(s, i, of(i) + deviation * log_noise(&random));
}

static double flat(int i)
{
	(void)i;
	return 10;
}

static double stepped(int i)
{
	return i < 150 ? 10 : 16;
}

static double rising(int i)
{
	return 10 + 0.01 * i;
}

/* 10 GiB, then 16 for good: no leak but for the documents, whose baseline comes before it. */
static void a_step_is_no_leak(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	log_new(&r);
	memory_of(&r, "allocated_gb", 300, stepped, 0.01);
	log_ask(&h, &r);
	t = hand_table(&h, "memory");
	assert_true(span_is(hand_text(t, 0, "verdict"), "one-time increase"));
	assert_true(span_is(hand_text(t, 0, "documents_say"), "leak"));
	NEAR(hand_real(t, 0, "jump_x"), 150, 0);
	assert_true(log_found(&h, "D09"));
	assert_false(log_found(&h, "D07"));
	hand_release(&h);
	run_clear(&r);
}

/* Reserved grows: with allocated beside it flat it is fragmentation, else part of the leak. */
static void fragmentation(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	log_new(&r);
	memory_of(&r, "allocated_gb", 300, flat, 0.01);
	memory_of(&r, "reserved_gb", 300, rising, 0.01);
	log_ask(&h, &r);
	t = hand_table(&h, "memory");
	assert_true(span_is(hand_text(t, 0, "verdict"), "steady"));
	assert_true(span_is(hand_text(t, 1, "verdict"), "fragmentation"));
	assert_true(log_found(&h, "D08"));
	hand_release(&h);
	run_clear(&r);
	log_new(&r);
	memory_of(&r, "reserved_gb", 300, rising, 0.01);
	memory_of(&r, "allocated_gb", 300, rising, 0.01);
	log_ask(&h, &r);
	t = hand_table(&h, "memory");
	assert_true(span_is(hand_text(t, 0, "key"), "allocated_gb"));
	assert_true(span_is(hand_text(t, 0, "verdict"), "leak"));
	assert_true(span_is(hand_text(t, 1, "verdict"), "leak"));
	assert_false(log_found(&h, "D08"));
	hand_release(&h);
	run_clear(&r);
}

static void measure(struct sheet *s, const char *tag, double gib)
{
	assert_true(record_row(s));
	table_text(&s->table, TAKEN_TAG, span_of(tag));
	table_real(&s->table, TAKEN_ALLOCATED, gib * GIB);
	table_real(&s->table, TAKEN_MAX_ALLOCATED, (gib + 5) * GIB);
}

/* Measurements with tags: those of one phase compare, from the one tagged baseline; the peak is the
 * allocator's own. */
static void measurements_by_tag(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct sheet *s;
	struct run r;
	int i;

	(void)state;
	log_new(&r);
	s = record_sheet(r.record, 0, SHEET_MEMORY);
	measure(s, "baseline", 6);
	for (i = 0; i < 8; i++) {
		measure(s, "iteration_end", 10);
		if (i < 3)
			measure(s, "iteration_start", 8);
	}
	log_ask(&h, &r);
	t = hand_table(&h, "memory");
	assert_int_equal(t->nrow, 1);
	assert_int_equal(hand_int(t, 0, "count"), 8);
	NEAR(hand_real(t, 0, "baseline_bytes"), 6 * GIB, 0);
	NEAR(hand_real(t, 0, "peak_bytes"), 15 * GIB, 0);
	assert_true(span_is(hand_text(t, 0, "verdict"), "steady"));
	assert_true(span_is(hand_text(t, 0, "documents_say"), "leak"));
	hand_release(&h);
	run_clear(&r);
}

/* Rewards and lengths that rise together; waiting 30 of 100; the canary's own percentage. */
static void rules_of_two(void **state)
{
	struct hand_answer h;
	struct series *reward, *length, *wait, *step;
	uint64_t random = 13;
	struct run r;
	int i;

	(void)state;
	log_new(&r);
	reward = log_series(&r, "reward", MEASURE_NONE);
	length = log_series(&r, "completions/mean_length", MEASURE_NONE);
	wait = log_series(&r, "data_time", MEASURE_S);
	step = log_series(&r, "step_time", MEASURE_S);
	for (i = 0; i < 100; i++) {
		series_add(reward, i, 0.01 * i + 0.05 * log_noise(&random));
		series_add(length, i, 100 + 5 * i + 20 * log_noise(&random));
		series_add(wait, i, 0.3);
		series_add(step, i, 0.7);
	}
	log_number(&r, "perf.gpu_utilization_avg", 41);
	log_ask(&h, &r);
	assert_true(log_found(&h, "D12"));
	assert_true(log_found(&h, "D13"));
	assert_true(log_found(&h, "D14"));
	hand_release(&h);
	run_clear(&r);
}

static void kl_and_variance(void **state)
{
	struct hand_answer h;
	struct series *kl, *var;
	struct run r;
	int i;

	(void)state;
	log_new(&r);
	kl = log_series(&r, "kl", MEASURE_NONE);
	var = log_series(&r, "reward_var", MEASURE_NONE);
	for (i = 0; i < 400; i++) {
		series_add(kl, i, i < 300 ? 0.01 : 0.05);
		series_add(var, i, 2.5);
	}
	log_ask(&h, &r);
	assert_true(log_found(&h, "D10"));
	assert_true(log_found(&h, "D18"));
	hand_release(&h);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(divergence),
		cmocka_unit_test(spikes_and_gradients),
		cmocka_unit_test(a_leak),
		cmocka_unit_test(a_step_is_no_leak),
		cmocka_unit_test(fragmentation),
		cmocka_unit_test(measurements_by_tag),
		cmocka_unit_test(rules_of_two),
		cmocka_unit_test(kl_and_variance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
