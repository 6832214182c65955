/*
 * `metrics` on records made by hand: windows, rules, memory, throughput, stages, scores, rewards,
 * with the figures of the documents.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/analysis.h"
#include "analyze/metrics.h"
#include "analyze/store/record.h"
#include "base/compiler.h"
#include "tests/unit/handmade.h"

#define NEAR(a, b, eps) assert_true(fabs((a) - (b)) <= (eps))
#define GIB             1073741824.0

static void new_run(struct run *r)
{
	run_init(r, 0);
	r->record = record_new();
	(void)record_artifact(r->record, "train.jsonl", "jsonl_log", "training log");
}

static struct series *series(struct run *r, const char *name, enum measure m)
{
	struct series *s = record_series(r->record, 0, span_of(name), SPAN(""));

	s->measure = m;
	s->axis = AXIS_STEP;
	return s;
}

static void number(struct run *r, const char *key, double v)
{
	const struct scalar s = { .key = span_of(key), .type = SCALAR_NUMBER, .number = v };

	record_scalar(r->record, &r->record->scalars, &s);
}

static void ask_with(struct hand_answer *h, struct run *r, const struct metrics_options *o)
{
	const struct filter filter = { 0 };
	const struct run *list[] = { r };
	const struct query q = { .run = list, .nrun = 1, .filter = &filter, .opts = o };

	*h = (struct hand_answer){ 0 };
	err_clear(&h->err);
	result_init(&h->result, "test/1");
	(void)result_input(&h->result, "hand.json");
	h->status = analysis_find("metrics")->compute(&q, &h->result, &h->exit_code, &h->err);
}

static struct metrics_options defaults(void)
{
	struct metrics_options o = { 0 };

	analysis_find("metrics")->set_defaults(&o);
	return o;
}

static void ask(struct hand_answer *h, struct run *r)
{
	const struct metrics_options o = defaults();

	ask_with(h, r, &o);
	if (h->status != OK)
		fail_msg("%s", h->err.text);
}

static size_t row_of(const struct table *t, const char *key, const char *text)
{
	size_t row = t ? hand_find(t, key, text) : SIZE_MAX;

	if (row == SIZE_MAX)
		fail_msg("no row %s", text);
	return row;
}

static bool has_finding(const struct hand_answer *h, const char *rule)
{
	return hand_find(hand_table(h, "findings"), "rule", rule) != SIZE_MAX;
}

/* About standard normal, always the same ones. */
static double noise(uint64_t *state)
{
	double sum = -6;
	int i;

	for (i = 0; i < 12; i++) {
		*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		sum += (double)(*state >> 11) / 9007199254740992.0;
	}
	return sum;
}

/*
 * 1 .. 10: numpy.percentile 95 is 9.55, 25 is 3.25; std 3.0277 (n - 1), 2.8723 (n); the window of 4
 * is 7 8 9 10: mean 8.5, std 1.2910.  No p99 below 100 values.
 */
static void windows_and_quantiles(void **state)
{
	struct metrics_options o = defaults();
	struct hand_answer h;
	const struct table *t;
	struct series *s;
	struct run r;
	int i;

	(void)state;
	new_run(&r);
	s = series(&r, "v", MEASURE_NONE);
	for (i = 1; i <= 10; i++)
		series_add(s, i, i);
	series_add(s, 11, NAN);
	series_add(s, 12, INFINITY);
	series_add_missing(s);
	o.window = 4;
	ask_with(&h, &r, &o);
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
	assert_true(has_finding(&h, "D05"));
	hand_release(&h);
	o.ddof = 0;
	ask_with(&h, &r, &o);
	NEAR(hand_real(hand_table(&h, "keys"), 0, "std"), 2.8722813233, 1e-9);
	hand_release(&h);
	run_clear(&r);
}

/* 1 .. 100: numpy.percentile 95 is 95.05, 99 is 99.01; the first 10 are warm-up only if 50 are
 * there. */
static void warmup_is_cut_of_long_ones(void **state)
{
	struct metrics_options o = defaults();
	struct hand_answer h;
	const struct table *t;
	struct series *a, *b;
	struct run r;
	int i;

	(void)state;
	new_run(&r);
	a = series(&r, "long", MEASURE_NONE);
	b = series(&r, "short", MEASURE_NONE);
	for (i = 1; i <= 100; i++)
		series_add(a, i, i);
	for (i = 1; i <= 49; i++)
		series_add(b, i, i);
	o.warmup = 0;
	ask_with(&h, &r, &o);
	t = hand_table(&h, "keys");
	NEAR(hand_real(t, 0, "p95"), 95.05, 1e-12);
	NEAR(hand_real(t, 0, "p99"), 99.01, 1e-12);
	hand_release(&h);
	ask(&h, &r);
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
	struct metrics_options o = defaults();
	struct run r;
	int i;

	(void)state;
	new_run(&r);
	s = series(&r, "loss", MEASURE_NONE);
	for (i = 0; i < 400; i++)
		series_add(s, i, i < 300 ? 0.6 : 0.2);
	o.warmup = 0;
	ask_with(&h, &r, &o);
	t = hand_table(&h, "keys");
	NEAR(hand_real(t, 0, "mean"), 0.5, 1e-12);
	NEAR(hand_real(t, 0, "window_mean"), 0.2, 1e-12);
	assert_true(span_is(hand_text(t, 0, "trend"), "improving"));
	NEAR(hand_real(t, 0, "change_ratio"), -2.0 / 3, 1e-9);
	hand_release(&h);
	run_clear(&r);
}

/* One series of n values: start + slope i + deviation noise. */
static void ask_about(struct hand_answer *h, struct run *r, const char *name, int n, double start,
	double slope, double deviation)
{
	uint64_t random = 3;
	struct series *s;
	int i;

	new_run(r);
	s = series(r, name, MEASURE_NONE);
	for (i = 0; i < n; i++)
		series_add(s, i, start + slope * i + deviation * noise(&random));
	ask(h, r);
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

		ask_about(&h, &r, cases[i].name, 400, 2, cases[i].slope, 0.01);
		word = hand_text(hand_table(&h, "keys"), 0, "trend");
		if (!span_is(word, cases[i].word))
			fail_msg("%s %g: %.*s", cases[i].name, cases[i].slope, (int)word.n, word.p);
		assert_true(has_finding(&h, "D03") == (strcmp(cases[i].word, "plateau") == 0));
		hand_release(&h);
		run_clear(&r);
	}
}

/*
 * A loss that falls to 1 and then rises to 2: D02 sees it; its ends are 3 and 2, so the documents'
 * rule D01 does not.  One that rises from 1 to 2 all the way: both.  One that falls: none.
 */
static void divergence(void **state)
{
	struct hand_answer h;
	struct series *s;
	uint64_t random = 5;
	struct run r;
	int i;

	(void)state;
	new_run(&r);
	s = series(&r, "loss", MEASURE_NONE);
	for (i = 0; i < 500; i++)
		series_add(s, i,
			(i < 250 ? 3 - 2 * i / 250.0 : 1 + (i - 250) / 250.0) +
				0.01 * noise(&random));
	ask(&h, &r);
	assert_true(has_finding(&h, "D02"));
	assert_false(has_finding(&h, "D01"));
	hand_release(&h);
	run_clear(&r);
	ask_about(&h, &r, "loss", 500, 1, 0.002, 0.01);
	assert_true(has_finding(&h, "D02"));
	assert_true(has_finding(&h, "D01"));
	hand_release(&h);
	run_clear(&r);
	ask_about(&h, &r, "loss", 500, 3, -0.004, 0.01);
	assert_false(has_finding(&h, "D02"));
	assert_false(has_finding(&h, "D01"));
	hand_release(&h);
	run_clear(&r);
	/* A loss below 0 that rises from -1 towards 0 and one that sinks. */
	ask_about(&h, &r, "policy_loss", 500, -1, 0.001, 0.01);
	assert_true(has_finding(&h, "D02"));
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
	new_run(&r);
	s = series(&r, "loss", MEASURE_NONE);
	for (i = 0; i < 300; i++) /* two spikes, one of them three values long */
		series_add(
			s, i, (i == 100 || (i >= 200 && i < 203) ? 9 : 1) + 0.01 * noise(&random));
	s = series(&r, "grad_norm", MEASURE_NONE);
	for (i = 0; i < 300; i++)
		series_add(s, i, i < 200 ? 1 : 3);
	ask(&h, &r);
	text = hand_text(hand_table(&h, "findings"),
		row_of(hand_table(&h, "findings"), "rule", "D04"), "text");
	if (!span_starts(text, "2 spikes, 0 not back"))
		fail_msg("%.*s", (int)text.n, text.p);
	text = hand_text(hand_table(&h, "findings"),
		row_of(hand_table(&h, "findings"), "rule", "D06"), "text");
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
	struct metrics_options o = defaults();
	struct hand_answer h;
	const struct table *t;
	struct series *s;
	struct run r;
	size_t i;

	(void)state;
	new_run(&r);
	s = series(&r, "allocated_gb", MEASURE_GIB);
	for (i = 0; i < COUNT_OF(gib); i++)
		series_add(s, (double)i * 100, gib[i]);
	o.capacity = "16GiB";
	ask_with(&h, &r, &o);
	t = hand_table(&h, "memory");
	assert_true(span_is(hand_text(t, 0, "verdict"), "leak"));
	assert_true(span_is(hand_text(t, 0, "documents_say"), "no leak"));
	NEAR(hand_real(t, 0, "slope_bytes_per_step"), 2e-4 * GIB, 1);
	NEAR(hand_real(t, 0, "slope_lo_bytes_per_step"), 1.8e-4 * GIB, 1);
	NEAR(hand_real(t, 0, "slope_hi_bytes_per_step"), 2.5e-4 * GIB, 1);
	NEAR(hand_real(t, 0, "growth_bytes"), 0.17 * GIB, 2);
	NEAR(hand_real(t, 0, "steps_to_full"), (16 - 10.67) / 2e-4, 1);
	assert_true(has_finding(&h, "D07"));
	hand_release(&h);
	run_clear(&r);
}

/* Values by a function of the step, in GiB. */
static void memory_of(struct run *r, const char *name, int n, double (*of)(int i), double deviation)
{
	struct series *s = series(r, name, MEASURE_GIB);
	uint64_t random = 11;
	int i;

	for (i = 0; i < n; i++)
		series_add(s, i, of(i) + deviation * noise(&random));
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
	new_run(&r);
	memory_of(&r, "allocated_gb", 300, stepped, 0.01);
	ask(&h, &r);
	t = hand_table(&h, "memory");
	assert_true(span_is(hand_text(t, 0, "verdict"), "one-time increase"));
	assert_true(span_is(hand_text(t, 0, "documents_say"), "leak"));
	NEAR(hand_real(t, 0, "jump_x"), 150, 0);
	assert_true(has_finding(&h, "D09"));
	assert_false(has_finding(&h, "D07"));
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
	new_run(&r);
	memory_of(&r, "allocated_gb", 300, flat, 0.01);
	memory_of(&r, "reserved_gb", 300, rising, 0.01);
	ask(&h, &r);
	t = hand_table(&h, "memory");
	assert_true(span_is(hand_text(t, 0, "verdict"), "steady"));
	assert_true(span_is(hand_text(t, 1, "verdict"), "fragmentation"));
	assert_true(has_finding(&h, "D08"));
	hand_release(&h);
	run_clear(&r);
	new_run(&r);
	memory_of(&r, "reserved_gb", 300, rising, 0.01);
	memory_of(&r, "allocated_gb", 300, rising, 0.01);
	ask(&h, &r);
	t = hand_table(&h, "memory");
	assert_true(span_is(hand_text(t, 0, "key"), "allocated_gb"));
	assert_true(span_is(hand_text(t, 0, "verdict"), "leak"));
	assert_true(span_is(hand_text(t, 1, "verdict"), "leak"));
	assert_false(has_finding(&h, "D08"));
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
	new_run(&r);
	s = record_sheet(r.record, 0, SHEET_MEMORY);
	measure(s, "baseline", 6);
	for (i = 0; i < 8; i++) {
		measure(s, "iteration_end", 10);
		if (i < 3)
			measure(s, "iteration_start", 8);
	}
	ask(&h, &r);
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

static void stage(struct sheet *s, const char *name, double mean_s)
{
	assert_true(record_row(s));
	table_text(&s->table, STAGES_NAME, span_of(name));
	table_real(&s->table, STAGES_MEAN, mean_s * 1e9);
}

static double rate(const struct hand_answer *h, const char *what)
{
	const struct table *t = hand_table(h, "throughput");

	return hand_real(t, row_of(t, "what", what), "value");
}

/* 0.125 + 0.250 + 0.050 = 0.425; 9.4 samples/s x 0.425 s = 4; 12032 / 9.4 = 1280. */
static void the_documents_profile(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct sheet *s;
	struct run r;
	size_t row;

	(void)state;
	new_run(&r);
	s = record_sheet(r.record, 0, SHEET_STAGES);
	stage(s, "iteration", 0.425);
	stage(s, "forward", 0.125);
	stage(s, "backward", 0.250);
	stage(s, "optimizer", 0.050);
	number(&r, "throughput.samples_per_sec", 9.4);
	number(&r, "throughput.tokens_per_sec", 12032);
	number(&r, "memory.peak_allocated_gb", 15.2);
	number(&r, "memory.baseline_gb", 10.5);
	ask(&h, &r);
	t = hand_table(&h, "stages");
	NEAR(hand_real(t, row_of(t, "stage", "forward"), "share_ratio"), 0.125 / 0.425, 1e-12);
	row = row_of(t, "stage", "(unattributed)");
	NEAR(hand_real(t, row, "mean_ns"), 0, 1e-3);
	assert_false(has_finding(&h, "D15"));
	NEAR(rate(&h, "samples/iteration"), 3.995, 1e-9);
	NEAR(rate(&h, "tokens/sample"), 1280, 1e-9);
	t = hand_table(&h, "memory");
	NEAR(hand_real(t, 0, "peak_bytes"), 15.2 * GIB, 1);
	NEAR(hand_real(t, 0, "baseline_bytes"), 10.5 * GIB, 1);
	assert_false(hand_knows(t, 0, "last_bytes"));
	hand_release(&h);
	run_clear(&r);
}

/* Forward and backward take 70 % of the iteration, data loading 30 more than half of the rest. */
static void stages_that_do_not_add_up(void **state)
{
	struct hand_answer h;
	struct sheet *s;
	struct run r;

	(void)state;
	new_run(&r);
	s = record_sheet(r.record, 0, SHEET_STAGES);
	stage(s, "step", 1);
	stage(s, "forward", 0.4);
	stage(s, "data_loading", 0.3);
	stage(s, "epoch_0", 5);
	ask(&h, &r);
	assert_true(has_finding(&h, "D15"));
	assert_true(has_finding(&h, "D13"));
	hand_release(&h);
	run_clear(&r);
}

/*
 * Tokens 100, 200, ... and steps of 0.5 s: 200 tokens/s over the last 3 of 4 steps; the mean of
 * logged rates 100, 300 is 200, work over time 150.
 */
static void work_over_time(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct series *tokens, *step, *logged;
	struct run r;
	int i;

	(void)state;
	new_run(&r);
	tokens = series(&r, "num_tokens", MEASURE_NONE);
	step = series(&r, "step_time", MEASURE_S);
	logged = series(&r, "samples_per_second", MEASURE_PER_S);
	for (i = 1; i <= 4; i++) {
		series_add(tokens, i, 100 * i);
		series_add(step, i, 0.5);
		series_add(logged, i, i % 2 ? 100 : 300);
	}
	ask(&h, &r);
	NEAR(rate(&h, "tokens/s"), 200, 1e-9);
	t = hand_table(&h, "throughput");
	NEAR(hand_real(t, row_of(t, "how", "harmonic mean of rates"), "value"), 150, 1e-9);
	NEAR(hand_real(t, row_of(t, "how", "mean of rates"), "value"), 200, 1e-9);
	hand_release(&h);
	run_clear(&r);
}

static struct sheet *samples(struct run *r)
{
	new_run(r);
	return record_sheet(r->record, 0, SHEET_SAMPLES);
}

static void sample(struct sheet *s, const char *name, int64_t group, int64_t member, double v)
{
	assert_true(record_row(s));
	table_text(&s->table, SAMPLES_NAME, span_of(name));
	table_real(&s->table, SAMPLES_STEP, 0);
	table_int(&s->table, SAMPLES_GROUP, group);
	table_int(&s->table, SAMPLES_MEMBER, member);
	table_real(&s->table, SAMPLES_VALUE, v); /* NaN: absent */
}

/* [1.0, 0.5, null, 1.0, 0.0]: total 5, valid 4, invalid 0.2, counts 1 1 2, mean 0.625. */
static void the_documents_scores(void **state)
{
	static const double v[] = { 1.0, 0.5, NAN, 1.0, 0.0 };
	struct hand_answer h;
	const struct table *t;
	struct sheet *s;
	struct run r;
	size_t i;

	(void)state;
	s = samples(&r);
	for (i = 0; i < COUNT_OF(v); i++)
		sample(s, "scores", 0, (int64_t)i, v[i]);
	ask(&h, &r);
	t = hand_table(&h, "scores");
	assert_int_equal(hand_int(t, 0, "total"), 5);
	assert_int_equal(hand_int(t, 0, "valid"), 4);
	NEAR(hand_real(t, 0, "invalid_ratio"), 0.2, 1e-12);
	NEAR(hand_real(t, 0, "mean"), 0.625, 1e-12);
	NEAR(hand_real(t, 0, "invalid_lo_ratio"), 0.0362, 1e-4); /* Wilson, 1 of 5 */
	NEAR(hand_real(t, 0, "invalid_hi_ratio"), 0.6245, 1e-4);
	t = hand_table(&h, "score_shares");
	assert_int_equal(t->nrow, 3);
	assert_int_equal(hand_int(t, row_of(t, "score", "0"), "count"), 1);
	assert_int_equal(hand_int(t, row_of(t, "score", "0.5"), "count"), 1);
	assert_int_equal(hand_int(t, row_of(t, "score", "1"), "count"), 2);
	hand_release(&h);
	run_clear(&r);
}

/* 45 zeros, 123 halves, 832 ones: the mean is 0.8935, whatever the document's example says. */
static void a_distribution_as_written(void **state)
{
	static const double score[] = { 0, 0.5, 1 };
	static const int64_t count[] = { 45, 123, 832 };
	struct hand_answer h;
	const struct table *t;
	struct sheet *s;
	struct run r;
	size_t i;

	(void)state;
	new_run(&r);
	s = record_sheet(r.record, 0, SHEET_SCORES);
	for (i = 0; i < COUNT_OF(score); i++) {
		assert_true(record_row(s));
		table_real(&s->table, SCORES_SCORE, score[i]);
		table_int(&s->table, SCORES_COUNT, count[i]);
	}
	number(&r, "score_distribution.mean_score", 0.78);
	ask(&h, &r);
	t = hand_table(&h, "scores");
	assert_int_equal(hand_int(t, 0, "total"), 1000);
	NEAR(hand_real(t, 0, "mean"), 0.8935, 1e-12);
	NEAR(hand_real(t, 0, "mean_written"), 0.78, 0);
	t = hand_table(&h, "score_shares");
	NEAR(hand_real(t, row_of(t, "score", "1"), "ratio"), 0.832, 1e-12);
	hand_release(&h);
	run_clear(&r);
}

/* All are invalid: the share is 1 (the documents' tracker says 0). */
static void all_scores_invalid(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	new_run(&r);
	number(&r, "score_distribution.total", 0);
	number(&r, "score_distribution.invalid_count", 40);
	ask(&h, &r);
	t = hand_table(&h, "scores");
	assert_int_equal(hand_int(t, 0, "total"), 40);
	NEAR(hand_real(t, 0, "invalid_ratio"), 1, 0);
	assert_false(hand_knows(t, 0, "mean"));
	assert_true(has_finding(&h, "D17"));
	hand_release(&h);
	run_clear(&r);
}

/*
 * Groups [0.9 0.7 0.5 0.3] and three of [1 1 1 1]: means 0.6 and 1, deviations 0.2582 and 0.
 * Mean (2.4 + 12) / 16 = 0.9; zero-std 3/4; best (0.9 + 3) / 4; at least 0.5: 15 of 16, all groups.
 * Analysis of variance: MS_b = 4 (0.3^2 + 3 x 0.1^2) / 3 = 0.16, MS_w = 0.2 / 12 = 1/60;
 * var_b = (0.16 - 1/60) / 4 = 0.0358333; ICC = 0.0358333 / 0.0525 = 0.68254.
 * Ranks of 4 are 0 .. 3: mean 1.5, std 1.1180.
 */
static void groups_of_rewards(void **state)
{
	static const double first[] = { 0.9, 0.7, 0.5, 0.3 };
	struct hand_answer h;
	const struct table *t;
	struct sheet *s;
	struct run r;
	int64_t g, i;

	(void)state;
	s = samples(&r);
	for (g = 0; g < 4; g++)
		for (i = 0; i < 4; i++)
			sample(s, "group_rewards", g, i, g ? 1 : first[i]);
	ask(&h, &r);
	t = hand_table(&h, "rewards");
	assert_int_equal(hand_int(t, 0, "groups"), 4);
	NEAR(hand_real(t, 0, "group_size"), 4, 0);
	NEAR(hand_real(t, 0, "mean"), 0.9, 1e-12);
	NEAR(hand_real(t, 0, "group_std"), 0.2581988897 / 4, 1e-9);
	NEAR(hand_real(t, 0, "zero_std_ratio"), 0.75, 0);
	NEAR(hand_real(t, 0, "best_of_n"), 3.9 / 4, 1e-12);
	NEAR(hand_real(t, 0, "pass_1_ratio"), 15.0 / 16, 1e-12);
	NEAR(hand_real(t, 0, "pass_n_ratio"), 1, 0);
	NEAR(hand_real(t, 0, "icc"), 0.6825396825, 1e-9);
	NEAR(hand_real(t, 0, "rank_mean_documents"), 1.5, 0);
	NEAR(hand_real(t, 0, "rank_std_documents"), 1.1180339887, 1e-9);
	/* sqrt((0 + 0.04 + 0.16 + 0.36 + 12 x 0.01) / 16) */
	NEAR(hand_real(t, 0, "std_documents"), 0.2061552813, 1e-9);
	assert_true(has_finding(&h, "D11"));
	hand_release(&h);
	run_clear(&r);
}

static void summary(struct sheet *s, const char *name, double mean, double std)
{
	assert_true(record_row(s));
	table_text(&s->table, SUMMARIES_NAME, span_of(name));
	table_int(&s->table, SUMMARIES_COUNT, 4);
	table_real(&s->table, SUMMARIES_MEAN, mean);
	table_real(&s->table, SUMMARIES_STD, std);
}

/* Figures of the file: equal ones are not repeated, others stand beside ours, lone ones are shown.
 */
static void figures_as_written(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct series *loss;
	struct sheet *s;
	struct run r;
	size_t row;
	int i;

	(void)state;
	new_run(&r);
	loss = series(&r, "loss", MEASURE_NONE);
	for (i = 1; i <= 4; i++)
		series_add(loss, i, i);
	s = record_sheet(r.record, 0, SHEET_SUMMARIES);
	summary(s, "loss", 2.5, 9);
	summary(s, "reward", 0.72, 0.18);
	ask(&h, &r);
	t = hand_table(&h, "written");
	assert_int_equal(t->nrow, 1);
	assert_true(span_is(hand_text(t, 0, "figure"), "std"));
	NEAR(hand_real(t, 0, "written"), 9, 0);
	NEAR(hand_real(t, 0, "computed"), 1.1180339887, 1e-9);
	t = hand_table(&h, "keys");
	row = row_of(t, "key", "reward");
	NEAR(hand_real(t, row, "mean"), 0.72, 0);
	assert_true(span_is(hand_text(t, row, "quantile"), "as written"));
	hand_release(&h);
	run_clear(&r);
}

/* 20,000 tokens a step, 2 s a step: the slope over tokens is 1/20000, over time 1/2. */
static void other_axes(void **state)
{
	struct metrics_options o = defaults();
	struct hand_answer h;
	struct series *v, *tokens, *step;
	struct run r;
	int i;

	(void)state;
	new_run(&r);
	v = series(&r, "v", MEASURE_NONE);
	tokens = series(&r, "num_tokens", MEASURE_NONE);
	step = series(&r, "step_time", MEASURE_S);
	for (i = 0; i < 20; i++) {
		series_add(v, i, i);
		series_add(tokens, i, 20000 * i);
		series_add(step, i, 2);
	}
	o.x = "tokens";
	ask_with(&h, &r, &o);
	NEAR(hand_real(hand_table(&h, "keys"), 0, "slope"), 1 / 20000.0, 1e-12);
	hand_release(&h);
	o.x = "time";
	ask_with(&h, &r, &o);
	NEAR(hand_real(hand_table(&h, "keys"), 0, "slope"), 0.5, 1e-12);
	hand_release(&h);
	run_clear(&r);
	new_run(&r);
	series_add(series(&r, "v", MEASURE_NONE), 0, 1);
	ask_with(&h, &r, &o);
	assert_int_equal(h.status, E_NODATA);
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
	new_run(&r);
	reward = series(&r, "reward", MEASURE_NONE);
	length = series(&r, "completions/mean_length", MEASURE_NONE);
	wait = series(&r, "data_time", MEASURE_S);
	step = series(&r, "step_time", MEASURE_S);
	for (i = 0; i < 100; i++) {
		series_add(reward, i, 0.01 * i + 0.05 * noise(&random));
		series_add(length, i, 100 + 5 * i + 20 * noise(&random));
		series_add(wait, i, 0.3);
		series_add(step, i, 0.7);
	}
	number(&r, "perf.gpu_utilization_avg", 41);
	ask(&h, &r);
	assert_true(has_finding(&h, "D12"));
	assert_true(has_finding(&h, "D13"));
	assert_true(has_finding(&h, "D14"));
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
	new_run(&r);
	kl = series(&r, "kl", MEASURE_NONE);
	var = series(&r, "reward_var", MEASURE_NONE);
	for (i = 0; i < 400; i++) {
		series_add(kl, i, i < 300 ? 0.01 : 0.05);
		series_add(var, i, 2.5);
	}
	ask(&h, &r);
	assert_true(has_finding(&h, "D10"));
	assert_true(has_finding(&h, "D18"));
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
	new_run(&r);
	s = series(&r, "loss", MEASURE_NONE);
	for (i = 0; i < 100000; i++)
		series_add(s, i, i % 1000);
	ask(&h, &r);
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
	struct metrics_options o = defaults();
	struct run r;

	(void)state;
	new_run(&r);
	ask_with(&h, &r, &o);
	assert_int_equal(h.status, E_NODATA);
	hand_release(&h);
	series_add(series(&r, "loss", MEASURE_NONE), 0, 1);
	o.key = "nothing of that name";
	ask_with(&h, &r, &o);
	assert_int_equal(h.status, E_NODATA);
	hand_release(&h);
	o.key = "(";
	ask_with(&h, &r, &o);
	assert_int_equal(h.status, E_USAGE);
	hand_release(&h);
	run_clear(&r);
}

static void roles_of_names(void **state)
{
	static const struct {
		const char *name;
		enum metric_role role;
	} cases[] = { { "loss", ROLE_LOSS }, { "train/policy_loss", ROLE_LOSS },
		{ "loss_scale", ROLE_OTHER }, { "kl", ROLE_KL }, { "kl_divergence", ROLE_KL },
		{ "kl_loss", ROLE_LOSS }, { "reward", ROLE_REWARD }, { "mean_reward", ROLE_REWARD },
		{ "reward_std", ROLE_REWARD_STD }, { "rewards/format/mean", ROLE_REWARD },
		{ "rewards/format/std", ROLE_REWARD_STD },
		{ "frac_reward_zero_std", ROLE_ZERO_STD },
		{ "completions/mean_length", ROLE_LENGTH }, { "grad_norm", ROLE_GRAD_NORM },
		{ "num_tokens", ROLE_TOKENS }, { "tokens_per_second", ROLE_TOKENS_PER_S },
		{ "train_samples_per_second", ROLE_SAMPLES_PER_S }, { "step_time", ROLE_STEP_TIME },
		{ "allocated_gb", ROLE_ALLOCATED }, { "reserved_gb", ROLE_RESERVED },
		{ "lr", ROLE_RATE }, { "eval_accuracy", ROLE_ACCURACY }, { "", ROLE_OTHER },
		{ "/", ROLE_OTHER } };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++)
		if (metric_role(span_of(cases[i].name)) != cases[i].role)
			fail_msg("%s is %s", cases[i].name,
				metric_role_word(metric_role(span_of(cases[i].name))));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows_and_quantiles),
		cmocka_unit_test(warmup_is_cut_of_long_ones),
		cmocka_unit_test(the_documents_window),
		cmocka_unit_test(trends_have_words),
		cmocka_unit_test(divergence),
		cmocka_unit_test(spikes_and_gradients),
		cmocka_unit_test(a_leak),
		cmocka_unit_test(a_step_is_no_leak),
		cmocka_unit_test(fragmentation),
		cmocka_unit_test(measurements_by_tag),
		cmocka_unit_test(the_documents_profile),
		cmocka_unit_test(stages_that_do_not_add_up),
		cmocka_unit_test(work_over_time),
		cmocka_unit_test(the_documents_scores),
		cmocka_unit_test(a_distribution_as_written),
		cmocka_unit_test(all_scores_invalid),
		cmocka_unit_test(groups_of_rewards),
		cmocka_unit_test(figures_as_written),
		cmocka_unit_test(other_axes),
		cmocka_unit_test(rules_of_two),
		cmocka_unit_test(kl_and_variance),
		cmocka_unit_test(long_series),
		cmocka_unit_test(nothing_is_an_error),
		cmocka_unit_test(roles_of_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
