/*
 * Which way is better of a figure, and what it is compared with: the table of kinds, and pairs.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/compare/figurekind.h"
#include "analyze/compare/better.h"
#include "analyze/compare/pairs.h"
#include "base/compiler.h"

/* Names as the documents' scripts write them, and what they are; written down by hand. */
static void test_kinds(void **state)
{
	static const struct {
		const char *name;
		enum unit unit;
		const char *word;
	} cases[] = {
		{ "full_dataset_metrics.accuracy", UNIT_NONE, "accuracy" },
		{ "full_dataset_metrics.f1_macro", UNIT_NONE, "accuracy" },
		{ "score_distribution.mean_score", UNIT_NONE, "accuracy" },
		{ "score_distribution.invalid_rate", UNIT_NONE, "error" },
		{ "mean_reward", UNIT_NONE, "reward" },
		{ "rewards/format/mean", UNIT_NONE, "reward" },
		{ "rewards/format/std", UNIT_NONE, "property" },
		{ "reward_var", UNIT_NONE, "property" },
		{ "throughput.samples_per_sec", UNIT_NONE, "throughput" },
		{ "throughput.window_size", UNIT_NONE, "property" },
		{ "tokens/s", UNIT_NONE, "throughput" },
		{ "tokens_per_second", UNIT_NONE, "throughput" },
		{ "latency_per_sample", UNIT_NS, "time" },
		{ "latency_per_sample", UNIT_NONE, "time" },
		{ "time", UNIT_NONE, "property" },
		{ "time", UNIT_NS, "time" },
		{ "forward.time", UNIT_NONE, "time" },
		{ "wall_time", UNIT_NONE, "property" },
		{ "stage_times.reward_model", UNIT_NS, "time" },
		{ "perf.step_time.p95", UNIT_NONE, "quantile" },
		{ "latency/p99", UNIT_NS, "quantile" },
		{ "p50", UNIT_NONE, "property" },
		{ "policy_loss.p95", UNIT_NONE, "property" },
		{ "memory.median", UNIT_BYTES, "property" },
		{ "perf.step_time.max", UNIT_NS, "property" },
		{ "memory.max_allocated", UNIT_BYTES, "memory" },
		{ "memory.baseline_gb", UNIT_BYTES, "property" },
		{ "peak_memory_usage.cuda", UNIT_BYTES, "memory" },
		{ "memory.free", UNIT_BYTES, "property" },
		{ "utilization.gpu", UNIT_RATIO, "utilization" },
		{ "utilization.memory", UNIT_RATIO, "unknown" },
		{ "temperature.gpu", UNIT_NONE, "property" },
		{ "value_loss", UNIT_NONE, "loss" },
		{ "train/loss", UNIT_NONE, "loss" },
		{ "kl_divergence", UNIT_NONE, "kl" },
		{ "kl_coef", UNIT_NONE, "property" },
		{ "grad_norm", UNIT_NONE, "unknown" },
		{ "entropy", UNIT_NONE, "unknown" },
		{ "summary.total_steps", UNIT_NONE, "property" },
		{ "total_runtime_sec", UNIT_NS, "property" },
		{ "model_info.total_params", UNIT_NONE, "property" },
		{ "model_info.total_size_mb", UNIT_BYTES, "memory" },
		{ "mean_ttft_ms", UNIT_NS, "time" },
		{ "median_itl_ms", UNIT_NS, "time" },
		{ "p99_ttft_ms", UNIT_NS, "quantile" },
		{ "std_ttft_ms", UNIT_NS, "property" },
		{ "total_token_throughput", UNIT_NONE, "throughput" },
		{ "request_goodput", UNIT_NONE, "throughput" },
		{ "total_output_tokens_retokenized", UNIT_NONE, "property" },
		{ "completed", UNIT_COUNT, "property" },
		{ "failed", UNIT_COUNT, "error" },
		{ "input_lens", UNIT_COUNT, "property" },
		{ "", UNIT_NONE, "unknown" },
		{ "...", UNIT_NONE, "unknown" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++)
		assert_string_equal(
			figure_kind(span_of(cases[i].name), cases[i].unit)->word, cases[i].word);
}

/* Every kind with a direction tolerates something, and less the stricter the tier. */
static void test_tolerances(void **state)
{
	static const char *const names[] = { "accuracy", "reward", "per_sec", "mfu", "loss", "kl",
		"error", "latency", "latency.p99", "memory" };
	const struct figure_kind *k;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(names); i++) {
		k = figure_kind(span_of(names[i]), UNIT_NONE);
		assert_int_not_equal(k->better, BETTER_NONE);
		assert_true(k->tolerance[0] > 0);
		assert_true(k->tolerance[1] >= k->tolerance[0]);
		assert_true(k->tolerance[2] <= k->tolerance[0]);
		assert_true(k->tolerance[3] <= k->tolerance[2] && k->tolerance[3] > 0);
	}
	/* A floor in ns is none of a time whose unit nobody said. */
	k = figure_kind(SPAN("latency"), UNIT_NONE);
	assert_float_equal(figure_kind_floor(k, UNIT_NONE), 0, 0);
	assert_float_equal(figure_kind_floor(k, UNIT_NS), 1000, 0);
}

static struct metric metric(const char *id, const char *quantity, const char *source)
{
	return (struct metric){ .id = id,
		.title = id,
		.quantity = quantity,
		.source = source,
		.is_log = source && strcmp(source, "trace") != 0 };
}

static const char *partner(const struct metric_pairs *p, const char *id)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (p->v[i].base && strcmp(p->v[i].base->id, id) == 0)
			return p->v[i].now ? p->v[i].now->id : NULL;
	fail();
	return NULL;
}

/*
 *	base                          new
 *	step_time       trace         step_time       trace
 *	log_step_time   run_metrics   log_step_time   profiler_summary    other files come first:
 *	step_time@s..   profiler_s..  step_time@r..   run_metrics         the source decides
 *	loss_final      jsonl_log     loss_final      metrics_csv         the only ones left: paired
 *	reward          a             reward          c                   two and one: not
 *	reward@b        b
 */
static void test_pairs(void **state)
{
	struct metric b[] = { metric("step_time", NULL, "trace"),
		metric("log_step_time", "step_time", "run_metrics"),
		metric("step_time@profiler_summary", "step_time", "profiler_summary"),
		metric("loss_final", "loss_final", "jsonl_log"), metric("reward", "reward", "a"),
		metric("reward@b", "reward", "b") };
	struct metric n[] = { metric("step_time", NULL, "trace"),
		metric("log_step_time", "step_time", "profiler_summary"),
		metric("step_time@run_metrics", "step_time", "run_metrics"),
		metric("loss_final", "loss_final", "metrics_csv"),
		metric("reward", "reward", "c") };
	const struct metricset base = { b, COUNT_OF(b), 0 }, now = { n, COUNT_OF(n), 0 };
	struct metric_pairs p;
	struct arena mem;

	(void)state;
	arena_init(&mem);
	metric_pairs_init(&p, &base, &now, &mem);
	assert_int_equal(p.n, 7); /* each of base, and new's reward */
	assert_string_equal(partner(&p, "step_time"), "step_time");
	assert_string_equal(partner(&p, "log_step_time"), "step_time@run_metrics");
	assert_string_equal(partner(&p, "step_time@profiler_summary"), "log_step_time");
	assert_string_equal(partner(&p, "loss_final"), "loss_final");
	assert_null(partner(&p, "reward"));
	assert_null(partner(&p, "reward@b"));
	assert_null(p.v[6].base);
	assert_string_equal(metric_pair_any(&p.v[6])->source, "c");
	arena_clear(&mem);
}

/* A trace's figure is never a log's; of a history ids decide. */
static void test_pairs_apart(void **state)
{
	struct metric b[] = { metric("step_time", NULL, "trace") };
	struct metric n[] = { metric("step_time", "step_time", "jsonl_log") };
	struct metric h[] = { metric("step_time", NULL, NULL) };
	const struct metricset base = { b, 1, 0 }, now = { n, 1, 0 }, history = { h, 1, 0 };
	const struct metricset none = { NULL, 0, 0 };
	struct metric_pairs p;
	struct arena mem;

	(void)state;
	arena_init(&mem);
	metric_pairs_init(&p, &base, &now, &mem);
	assert_int_equal(p.n, 2);
	metric_pairs_init(&p, &history, &now, &mem);
	assert_int_equal(p.n, 1);
	assert_non_null(p.v[0].now);
	metric_pairs_init(&p, &none, &now, &mem);
	assert_int_equal(p.n, 1);
	assert_null(p.v[0].base);
	metric_pairs_init(&p, &none, &none, &mem);
	assert_int_equal(p.n, 0);
	arena_clear(&mem);
}

static void test_better(void **state)
{
	struct metric m[] = { metric("train/grad_norm", NULL, "a"), metric("norm", NULL, "a") };
	struct metricset set = { m, COUNT_OF(m), 0 }, none = { NULL, 0, 0 };
	struct better b;
	struct err e;
	struct arena mem;

	(void)state;
	arena_init(&mem);
	err_clear(&e);
	assert_int_equal(better_parse(&b, "grad_norm=lower", &mem, &e), OK);
	assert_true(better_apply(&b, &set, &none));
	assert_int_equal(m[0].better, BETTER_LOWER);
	assert_int_equal(m[1].better, BETTER_NONE);
	assert_false(better_apply(&b, &none, &none));
	assert_int_equal(better_parse(&b, "grad_norm", &mem, &e), E_USAGE);
	assert_int_equal(better_parse(&b, "=lower", &mem, &e), E_USAGE);
	assert_int_equal(better_parse(&b, "x=best", &mem, &e), E_USAGE);
	arena_clear(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_tolerances),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_pairs_apart),
		cmocka_unit_test(test_better),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
