/* Metrics of sides: from logs, from summaries, and how a change of them is judged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/trace/figure.h"
#include "analyze/compare/change.h"
#include "analyze/job/digest/digest.h"
#include "analyze/compare/metricset.h"
#include "analyze/job/sides.h"
#include "analyze/trace/columns/record.h"
#include "base/compiler.h"
#include "tests/unit/near.h"

enum { RUNS = 3 };

struct world {
	struct arena mem;
	struct digest digest[RUNS];
	struct side_part part[RUNS];
	struct side_run run[RUNS];
	struct side side;
};

static void begin(struct world *w)
{
	static const char *const names[RUNS] = { "r1", "r2", "r3" };
	int i;

	*w = (struct world){ 0 };
	for (i = 0; i < RUNS; i++) {
		w->digest[i] = (struct digest){ .path = names[i],
			.kind = "log",
			.rank = -1,
			.peak_bytes = -1,
			.record = record_new() };
		(void)record_artifact(w->digest[i].record, names[i], "log", "log");
		w->part[i] = (struct side_part){ &w->digest[i], -1, 0 };
		w->run[i] = (struct side_run){ .name = names[i], .part = &w->part[i], .n = 1 };
	}
	w->side = (struct side){ .label = "side", .run = w->run, .nrun = 1 };
}

static void end(struct world *w)
{
	int i;

	for (i = 0; i < RUNS; i++)
		record_free(w->digest[i].record);
	arena_clear(&w->mem);
}

static void put(struct world *w, int run, const char *name, const double *v, size_t n)
{
	struct series *s = record_series(w->digest[run].record, 0, span_of(name), SPAN(""));
	size_t i;

	assert_non_null(s);
	s->measure = measure_of_key(span_of(name));
	for (i = 0; i < n; i++)
		series_add(s, (double)i, v[i]);
}

static void say(struct world *w, int run, const char *key, double v)
{
	const struct scalar s = { .key = span_of(key),
		.type = SCALAR_NUMBER,
		.number = v,
		.measure = measure_of_key(span_of(key)) };

	record_scalar(w->digest[run].record, &w->digest[run].record->scalars, &s);
}

static const struct metric *ask(struct world *w, const char *id)
{
	static struct metricset set;

	metricset_init(&set, &w->side, &w->mem);
	return metricset_find(&set, id);
}

static void test_series(void **state)
{
	static const double times[] = { 0.9, 0.4, 0.5, 0.6, 0.5 }, gb[] = { 1, 3, 2 };
	static const double rate[] = { 100, 300 }, norm[] = { 1, NAN, 2, INFINITY, NAN };
	const struct metric *m;
	struct world w;

	(void)state;
	begin(&w);
	put(&w, 0, "step_time", times, 5);
	put(&w, 0, "allocated_gb", gb, 3);
	put(&w, 0, "tokens_per_second", rate, 2);
	put(&w, 0, "grad_norm", norm, 5);
	m = ask(&w, "step_time");
	assert_non_null(m);
	assert_int_equal(m->unit, UNIT_NS);
	assert_float_equal(m->sample[0].centre, 0.5e9, 1);
	assert_float_equal(m->sample[0].mean, 0.58e9, 1);
	assert_int_equal(m->sample[0].n, 5);
	/* The same number of tokens at 100 and at 300 a second: 150, not 200. */
	near(ask(&w, "tokens_per_sec")->sample[0].centre, 150, 1e-9);
	assert_int_equal(ask(&w, "tokens_per_sec")->better, BETTER_HIGHER);
	assert_float_equal(ask(&w, "peak_memory")->sample[0].centre, 3.0 * 1073741824, 1);
	assert_float_equal(ask(&w, "nan_steps")->sample[0].centre, 2, 0);
	assert_float_equal(ask(&w, "inf_steps")->sample[0].centre, 1, 0);
	/* The first values are warming up. */
	w.digest[0].warmup = 1;
	assert_int_equal(ask(&w, "step_time")->sample[0].n, 4);
	assert_float_equal(ask(&w, "step_time")->sample[0].mean, 0.5e9, 1);
	end(&w);
}

/* rlhf-canary's summary: seconds without a unit in the key, a power of 1024 in "mb". */
static void test_figures(void **state)
{
	const struct metric *m;
	struct world w;

	(void)state;
	begin(&w);
	say(&w, 0, "perf.step_time.mean", 0.5012);
	say(&w, 0, "perf.step_time.std", 0.021);
	say(&w, 0, "perf.step_time.count", 90);
	say(&w, 0, "perf.approx_tokens_per_sec", 4086.2);
	say(&w, 0, "perf.max_mem_mb", 2311.5);
	say(&w, 0, "stability.final_loss", 0.66);
	m = ask(&w, "step_time");
	assert_float_equal(m->sample[0].centre, 0.5012e9, 1);
	assert_float_equal(m->sample[0].sd, 0.021e9, 1);
	assert_int_equal(m->sample[0].count, 90);
	assert_int_equal(m->sample[0].n, 0);
	assert_float_equal(ask(&w, "peak_memory")->sample[0].centre, 2311.5 * 1048576, 1);
	assert_float_equal(ask(&w, "loss_final")->sample[0].centre, 0.66, 1e-12);
	assert_null(ask(&w, "nan_steps"));
	end(&w);
}

/* Two files of one run say the same quantity, and each figure is there once for each of them; a
 * name that another file has said is that file's beside it.  Keys that are not known are figures,
 * too. */
static void test_sources(void **state)
{
	static const double times[] = { 0.5, 0.5, 0.5, 0.5, 0.5 };
	struct side_part part[2];
	const struct metric *m;
	struct world w;

	(void)state;
	begin(&w);
	part[0] = (struct side_part){ &w.digest[0], -1, 0 };
	part[1] = (struct side_part){ &w.digest[1], -1, 0 };
	w.digest[1].record->artifact[0].kind = "summary";
	w.run[0].part = part;
	w.run[0].n = 2;
	put(&w, 0, "step_time", times, 5);
	put(&w, 0, "accuracy", (const double[]){ 0.8, 0.9 }, 2);
	say(&w, 0, "full_dataset_metrics.accuracy", 0.92);
	say(&w, 1, "perf.step_time.mean", 0.9);
	say(&w, 1, "summary.average_step_time", 0.7);
	say(&w, 1, "full_dataset_metrics.accuracy", 0.80);
	assert_float_equal(ask(&w, "step_time")->sample[0].centre, 0.5e9, 1);
	m = ask(&w, "step_time@summary");
	assert_non_null(m);
	assert_float_equal(m->sample[0].centre, 0.9e9, 1);
	assert_string_equal(m->quantity, "step_time");
	assert_string_equal(m->source, "summary");
	/* The second of the same file keeps its own name. */
	near(ask(&w, "summary.average_step_time")->sample[0].centre, 0.7, 1e-12);
	m = ask(&w, "full_dataset_metrics.accuracy");
	assert_int_equal(m->better, BETTER_HIGHER);
	near(m->sample[0].centre, 0.92, 1e-12);
	near(ask(&w, "full_dataset_metrics.accuracy@summary")->sample[0].centre, 0.80, 1e-12);
	/* So short a series is one figure: its end. */
	near(ask(&w, "accuracy")->sample[0].centre, 0.9, 1e-12);
	assert_int_equal(ask(&w, "accuracy")->sample[0].count, 1);
	end(&w);
}

/* Allocated memory that grows by 2 MiB a step leaks, one that rose once or falls back does not; in
 * GiB, and where the log says nothing of memory nothing is known. */
static void test_leak(void **state)
{
	static const struct {
		double slope, jump; /* GiB a step; at the 60th */
		double want;
	} cases[] = { { 2.0 / 1024, 0, 1 }, { 0, 0, 0 }, { 0, 0.5, 0 }, { -2.0 / 1024, 0, 0 } };
	double gb[100], loss[100];
	unsigned long seed = 88172645463325252u;
	struct world w;
	size_t i, k;

	(void)state;
	for (k = 0; k < COUNT_OF(cases); k++) {
		for (i = 0; i < 100; i++) {
			gb[i] = 4 + cases[k].slope * (double)i + (i >= 60 ? cases[k].jump : 0) +
				0.001 * near_random(&seed);
			loss[i] = 1;
		}
		begin(&w);
		put(&w, 0, "loss", loss, 100);
		assert_null(ask(&w, "leak"));
		put(&w, 0, "gpu_memory_allocated_gb", gb, 100);
		near(ask(&w, "leak")->sample[0].centre, cases[k].want, 0);
		assert_true(ask(&w, "leak")->is_exact && ask(&w, "leak")->is_points);
		end(&w);
	}
}

/* The end of a loss counts, and whether it rose from its lowest. */
static void test_loss(void **state)
{
	double falls[100], rises[100];
	struct world w;
	int i;

	(void)state;
	for (i = 0; i < 100; i++) {
		falls[i] = 2.0 / (1 + i);
		rises[i] = i < 60 ? 2.0 / (1 + i) : 1.0;
	}
	begin(&w);
	put(&w, 0, "loss", falls, 100);
	put(&w, 1, "loss", rises, 100);
	w.side.nrun = 2;
	assert_int_equal(ask(&w, "loss_final")->n, 2);
	assert_int_equal(ask(&w, "loss_final")->sample[0].n, 10);
	assert_float_equal(ask(&w, "loss_final")->sample[1].centre, 1.0, 1e-12);
	assert_float_equal(ask(&w, "loss_diverged")->sample[0].centre, 0, 0);
	assert_float_equal(ask(&w, "loss_diverged")->sample[1].centre, 1, 0);
	end(&w);
}

/* Runs that say nothing of a metric are left out of it; the centre is the geometric mean. */
static void test_runs(void **state)
{
	static const double a[] = { 0.1 }, b[] = { 0.4 };
	const struct metric *m;
	struct world w;

	(void)state;
	begin(&w);
	put(&w, 0, "step_time", a, 1);
	put(&w, 2, "step_time", b, 1);
	w.side.nrun = RUNS;
	m = ask(&w, "step_time");
	assert_int_equal(m->n, 2);
	assert_string_equal(m->sample[1].run, "r3");
	assert_float_equal(metric_centre(m), 0.2e9, 1);
	end(&w);
}

static struct metric by_hand(struct metric_sample *s, size_t n, enum metric_better better)
{
	return (struct metric){
		.id = "m", .title = "m", .unit = UNIT_NS, .better = better, .sample = s, .n = n
	};
}

static struct change judge(const struct metric *a, const struct metric *b, double noise)
{
	const struct change_options o = { .noise = noise, .tolerance = 0.05, .confidence = 0.95 };
	SCOPED_ARENA mem = { 0 };
	struct change c;

	change_of(&c, a, b, &o, &mem);
	return c;
}

/* One figure on each side: the error is the declared noise alone, sqrt(2) 0.02 on the logarithm,
 * and the bounds are 1.6448536 of that away. */
static void test_declared_noise(void **state)
{
	struct metric_sample a = { .run = "a", .centre = 100, .sd = NAN, .count = 1 };
	struct metric_sample b = { .run = "b", .centre = 110, .sd = NAN, .count = 1 };
	struct metric base = by_hand(&a, 1, BETTER_LOWER), now = by_hand(&b, 1, BETTER_LOWER);
	double reach = 1.6448536269514722 * sqrt(2) * 0.02;
	struct change c = judge(&base, &now, 0.02);

	(void)state;
	assert_int_equal(c.answer.decision, DECISION_NOISY);
	assert_float_equal(c.ratio, 0.1, 1e-12);
	near(c.lo, 1.1 * exp(-reach) - 1, 1e-9);
	near(c.hi, 1.1 * exp(reach) - 1, 1e-9);
	b.centre = 125;
	assert_int_equal(judge(&base, &now, 0.02).answer.decision, DECISION_FAIL);
	/* More is better: the same is good news, and less is bad. */
	base.better = now.better = BETTER_HIGHER;
	c = judge(&base, &now, 0.02);
	assert_int_equal(c.answer.decision, DECISION_IMPROVED);
	assert_true(c.lo < c.ratio && c.ratio < c.hi);
	assert_int_equal(judge(&now, &base, 0.02).answer.decision, DECISION_FAIL);
	/* Swapped sides: the same bounds, inverted. */
	c = judge(&now, &base, 0.02);
	near((1 + c.lo) * (1 + judge(&base, &now, 0.02).hi), 1, 1e-9);
}

/* A threshold is a share of base either way: 40 % less is within 45 %, though ln(0.6) is not within
 * ln(1.45). */
static void test_less_is_no_more(void **state)
{
	struct metric_sample a = { .run = "a", .centre = 100, .sd = NAN, .count = 1 };
	struct metric_sample b = { .run = "b", .centre = 60, .sd = NAN, .count = 1 };
	struct metric base = by_hand(&a, 1, BETTER_LOWER), now = by_hand(&b, 1, BETTER_LOWER);
	struct change_options o = { .noise = 0.02, .tolerance = 0.45, .confidence = 0.95 };
	SCOPED_ARENA mem = { 0 };
	struct change c;

	(void)state;
	change_of(&c, &base, &now, &o, &mem);
	assert_string_equal(change_verdict(&c), "below threshold");
	o.tolerance = 0.01;
	o.floor = 45; /* the same, absolute */
	change_of(&c, &base, &now, &o, &mem);
	assert_string_equal(change_verdict(&c), "below threshold");
	o.floor = 30;
	change_of(&c, &base, &now, &o, &mem);
	assert_string_equal(change_verdict(&c), "improvement");
	base.better = now.better = BETTER_HIGHER;
	change_of(&c, &base, &now, &o, &mem);
	assert_string_equal(change_verdict(&c), "regression");
}

static void test_what_cannot_be_judged(void **state)
{
	double v[] = { 1, 2, 3 };
	struct metric_sample few = { .run = "a", .v = v, .n = 3, .centre = 2, .sd = 1, .count = 3 };
	struct metric_sample zero = { .run = "a", .centre = 0, .sd = NAN, .count = 1 };
	struct metric a = by_hand(&few, 1, BETTER_LOWER), none = by_hand(NULL, 0, BETTER_LOWER);
	struct metric z = by_hand(&zero, 1, BETTER_LOWER);
	struct change c;

	(void)state;
	assert_int_equal(judge(&a, &a, 0.02).answer.decision, DECISION_SKIP);
	assert_int_equal(judge(&a, &none, 0.02).answer.decision, DECISION_SKIP);
	assert_int_equal(judge(&a, NULL, 0.02).answer.decision, DECISION_SKIP);
	assert_int_equal(judge(NULL, &a, 0.02).answer.decision, DECISION_SKIP);
	c = judge(&z, &z, 0.02);
	assert_true(c.is_difference);
	assert_true(isnan(c.ratio));
	assert_int_equal(c.answer.decision, DECISION_PASS);
}

/* What is counted has no noise: one launch more is one launch more. */
static void test_exact(void **state)
{
	struct metric_sample a = { .run = "a", .centre = 1543, .sd = NAN, .count = 1 };
	struct metric_sample b = { .run = "b", .centre = 1700, .sd = NAN, .count = 1 };
	struct metric_sample same[3] = { { .run = "a", .centre = 555, .sd = NAN, .count = 1 },
		{ .run = "c", .centre = 555, .sd = NAN, .count = 1 },
		{ .run = "d", .centre = 555, .sd = NAN, .count = 1 } };
	struct metric base = by_hand(&a, 1, BETTER_LOWER), now = by_hand(&b, 1, BETTER_LOWER);
	struct change c;

	(void)state;
	base.is_exact = now.is_exact = true;
	c = judge(&base, &now, 0.5);
	assert_true(c.is_exact);
	assert_int_equal(c.answer.decision, DECISION_FAIL);
	assert_float_equal(c.lo, c.ratio, 1e-12);
	/* the mean of the logarithms of three times 555 is not quite that of one */
	base.n = 3;
	base.sample = same;
	b.centre = 555;
	c = judge(&base, &now, 0);
	assert_true(c.is_exact);
	assert_true(!(c.change.estimate > 0) && !(c.change.estimate < 0));
	b.centre = 556;
	assert_true(judge(&base, &now, 0).change.estimate > 0.0018);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_series),
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_sources),
		cmocka_unit_test(test_leak),
		cmocka_unit_test(test_loss),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_declared_noise),
		cmocka_unit_test(test_less_is_no_more),
		cmocka_unit_test(test_what_cannot_be_judged),
		cmocka_unit_test(test_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
