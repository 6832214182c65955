/* `metrics` on records made by hand: throughput, stages, scores, rewards, figures as written; with
 * the figures of the documents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/analysis/analysis.h"
#include "analyze/trace/columns/record.h"
#include "base/compiler.h"
#include "tests/unit/analyze/answer/metrics/handlog.h"
#include "tests/unit/handmade.h"

#define NEAR(a, b, eps) assert_true(fabs((a) - (b)) <= (eps))
#define GIB             1073741824.0

static void stage(struct sheet *s, const char *name, double mean_s)
{
	assert_true(record_row(s));
	table_text(&s->table, STAGES_NAME, span_of(name));
	table_real(&s->table, STAGES_MEAN, mean_s * 1e9);
}

static double rate(const struct hand_answer *h, const char *what)
{
	const struct table *t = hand_table(h, "throughput");

	return hand_real(t, log_row(t, "what", what), "value");
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
	log_new(&r);
	s = record_sheet(r.record, 0, SHEET_STAGES);
	stage(s, "iteration", 0.425);
	stage(s, "forward", 0.125);
	stage(s, "backward", 0.250);
	stage(s, "optimizer", 0.050);
	log_number(&r, "throughput.samples_per_sec", 9.4);
	log_number(&r, "throughput.tokens_per_sec", 12032);
	log_number(&r, "memory.peak_allocated_gb", 15.2);
	log_number(&r, "memory.baseline_gb", 10.5);
	log_ask(&h, &r);
	t = hand_table(&h, "stages");
	NEAR(hand_real(t, log_row(t, "stage", "forward"), "share_ratio"), 0.125 / 0.425, 1e-12);
	row = log_row(t, "stage", "(unattributed)");
	NEAR(hand_real(t, row, "mean_ns"), 0, 1e-3);
	assert_false(log_found(&h, "D15"));
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
	log_new(&r);
	s = record_sheet(r.record, 0, SHEET_STAGES);
	stage(s, "step", 1);
	stage(s, "forward", 0.4);
	stage(s, "data_loading", 0.3);
	stage(s, "epoch_0", 5);
	log_ask(&h, &r);
	assert_true(log_found(&h, "D15"));
	assert_true(log_found(&h, "D13"));
	hand_release(&h);
	run_clear(&r);
}

/* Tokens 100, 200, ... and steps of 0.5 s: 200 tokens/s over the last 3 of 4 steps; the mean of
 * logged rates 100, 300 is 200, work over time 150. */
static void work_over_time(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct series *tokens, *step, *logged;
	struct run r;
	int i;

	(void)state;
	log_new(&r);
	tokens = log_series(&r, "num_tokens", MEASURE_NONE);
	step = log_series(&r, "step_time", MEASURE_S);
	logged = log_series(&r, "samples_per_second", MEASURE_PER_S);
	for (i = 1; i <= 4; i++) {
		series_add(tokens, i, 100 * i);
		series_add(step, i, 0.5);
		series_add(logged, i, i % 2 ? 100 : 300);
	}
	log_ask(&h, &r);
	NEAR(rate(&h, "tokens/s"), 200, 1e-9);
	t = hand_table(&h, "throughput");
	NEAR(hand_real(t, log_row(t, "how", "harmonic mean of rates"), "value"), 150, 1e-9);
	NEAR(hand_real(t, log_row(t, "how", "mean of rates"), "value"), 200, 1e-9);
	hand_release(&h);
	run_clear(&r);
}

/* The same of a log too long to be kept value by value: 20,000 tokens a step of 2 s. */
static void work_over_time_of_long_logs(void **state)
{
	struct hand_answer h;
	struct series *tokens, *step;
	struct run r;
	int i;

	(void)state;
	log_new(&r);
	tokens = log_series(&r, "num_tokens", MEASURE_NONE);
	step = log_series(&r, "step_time", MEASURE_NONE);
	for (i = 0; i < SERIES_EXACT + 1000; i++) {
		series_add(tokens, i, 20000.0 * i);
		series_add(step, i, i < SERIES_EXACT ? 1 : 2);
	}
	log_ask(&h, &r);
	NEAR(rate(&h, "tokens/s"), 10000, 1e-6);
	hand_release(&h);
	run_clear(&r);
}

static struct sheet *samples(struct run *r)
{
	log_new(r);
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
	log_ask(&h, &r);
	t = hand_table(&h, "scores");
	assert_int_equal(hand_int(t, 0, "total"), 5);
	assert_int_equal(hand_int(t, 0, "valid"), 4);
	NEAR(hand_real(t, 0, "invalid_ratio"), 0.2, 1e-12);
	NEAR(hand_real(t, 0, "mean"), 0.625, 1e-12);
	NEAR(hand_real(t, 0, "invalid_lo_ratio"), 0.0362, 1e-4); /* Wilson, 1 of 5 */
	NEAR(hand_real(t, 0, "invalid_hi_ratio"), 0.6245, 1e-4);
	t = hand_table(&h, "score_shares");
	assert_int_equal(t->nrow, 3);
	assert_int_equal(hand_int(t, log_row(t, "score", "0"), "count"), 1);
	assert_int_equal(hand_int(t, log_row(t, "score", "0.5"), "count"), 1);
	assert_int_equal(hand_int(t, log_row(t, "score", "1"), "count"), 2);
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
	log_new(&r);
	s = record_sheet(r.record, 0, SHEET_SCORES);
	for (i = 0; i < COUNT_OF(score); i++) {
		assert_true(record_row(s));
		table_real(&s->table, SCORES_SCORE, score[i]);
		table_int(&s->table, SCORES_COUNT, count[i]);
	}
	log_number(&r, "score_distribution.mean_score", 0.78);
	log_ask(&h, &r);
	t = hand_table(&h, "scores");
	assert_int_equal(hand_int(t, 0, "total"), 1000);
	NEAR(hand_real(t, 0, "mean"), 0.8935, 1e-12);
	NEAR(hand_real(t, 0, "mean_written"), 0.78, 0);
	t = hand_table(&h, "score_shares");
	NEAR(hand_real(t, log_row(t, "score", "1"), "ratio"), 0.832, 1e-12);
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
	log_new(&r);
	log_number(&r, "score_distribution.total", 0);
	log_number(&r, "score_distribution.invalid_count", 40);
	log_ask(&h, &r);
	t = hand_table(&h, "scores");
	assert_int_equal(hand_int(t, 0, "total"), 40);
	NEAR(hand_real(t, 0, "invalid_ratio"), 1, 0);
	assert_false(hand_knows(t, 0, "mean"));
	assert_true(log_found(&h, "D17"));
	hand_release(&h);
	run_clear(&r);
}

/* Groups [0.9 0.7 0.5 0.3] and three of [1 1 1 1]: means 0.6 and 1, deviations 0.2582 and 0.
 * Mean (2.4 + 12) / 16 = 0.9; zero-std 3/4; best (0.9 + 3) / 4; at least 0.5: 15 of 16, all groups.
 * Analysis of variance: MS_b = 4 (0.3^2 + 3 x 0.1^2) / 3 = 0.16, MS_w = 0.2 / 12 = 1/60;
 * var_b = (0.16 - 1/60) / 4 = 0.0358333; ICC = 0.0358333 / 0.0525 = 0.68254.
 * Ranks of 4 are 0 .. 3: mean 1.5, std 1.1180. */
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
	log_ask(&h, &r);
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
	assert_true(log_found(&h, "D11"));
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

/* Figures of the file: equal ones are not repeated, others stand by ours, lone ones are shown. */
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
	log_new(&r);
	loss = log_series(&r, "loss", MEASURE_NONE);
	for (i = 1; i <= 4; i++)
		series_add(loss, i, i);
	s = record_sheet(r.record, 0, SHEET_SUMMARIES);
	summary(s, "loss", 2.5, 9);
	summary(s, "reward", 0.72, 0.18);
	log_ask(&h, &r);
	t = hand_table(&h, "written");
	assert_int_equal(t->nrow, 1);
	assert_true(span_is(hand_text(t, 0, "figure"), "std"));
	NEAR(hand_real(t, 0, "written"), 9, 0);
	NEAR(hand_real(t, 0, "computed"), 1.1180339887, 1e-9);
	t = hand_table(&h, "keys");
	row = log_row(t, "key", "reward");
	NEAR(hand_real(t, row, "mean"), 0.72, 0);
	assert_true(span_is(hand_text(t, row, "quantile"), "as written"));
	hand_release(&h);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_documents_profile),
		cmocka_unit_test(stages_that_do_not_add_up),
		cmocka_unit_test(work_over_time),
		cmocka_unit_test(work_over_time_of_long_logs),
		cmocka_unit_test(the_documents_scores),
		cmocka_unit_test(a_distribution_as_written),
		cmocka_unit_test(all_scores_invalid),
		cmocka_unit_test(groups_of_rewards),
		cmocka_unit_test(figures_as_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
