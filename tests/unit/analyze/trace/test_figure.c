/* The registry of figures: kinds, roles and units of names; written down by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/figure.h"
#include "base/compiler.h"

/* Names as the documents' scripts write them, and what they are; written down by hand. */
static void kinds_of_names(void **state)
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
		{ "time_to_first_token", UNIT_NONE, "time" },
		{ "time_to_first_token_ms", UNIT_NS, "time" },
		{ "failed_requests", UNIT_NONE, "error" },
		{ "num_timeouts", UNIT_NONE, "error" },
		{ "num_requests", UNIT_NONE, "property" },
		{ "train_runtime", UNIT_NONE, "duration" },
		{ "busbw", UNIT_NONE, "throughput" },
		{ "val_mIoU", UNIT_NONE, "accuracy" },
		{ "mAP", UNIT_NONE, "accuracy" },
		{ "hellaswag.acc,none", UNIT_NONE, "accuracy" },
		{ "hellaswag.acc_stderr,none", UNIT_NONE, "property" },
		{ "eval_wer", UNIT_NONE, "loss" },
		{ "rmse", UNIT_NONE, "loss" },
		{ "tokens_per_second", UNIT_NONE, "throughput" },
		{ "latency_per_sample", UNIT_NS, "time" },
		{ "latency_per_sample", UNIT_NONE, "time" },
		{ "time", UNIT_NONE, "property" },
		{ "time", UNIT_NS, "time" },
		{ "forward.time", UNIT_NONE, "time" },
		{ "wall_time", UNIT_NONE, "duration" },
		{ "stage_times.reward_model", UNIT_NS, "time" },
		{ "perf.step_time.p95", UNIT_NONE, "quantile" },
		{ "latency/p99", UNIT_NS, "quantile" },
		{ "p50", UNIT_NONE, "unknown" },
		{ "foo.p99", UNIT_NONE, "unknown" },
		{ "foo.std", UNIT_NONE, "property" },
		{ "policy_loss.p95", UNIT_NONE, "property" },
		{ "stats.min", UNIT_NS, "quantile" },
		{ "memory.median", UNIT_BYTES, "memory" },
		{ "throughput_samples_per_sec_median", UNIT_NONE, "throughput" },
		{ "policy_loss", UNIT_NONE, "unknown" },
		{ "Latency/sample", UNIT_NS, "time" },
		{ "perf.step_time.max", UNIT_NS, "property" },
		{ "memory.max_allocated", UNIT_BYTES, "memory" },
		{ "memory.baseline_gb", UNIT_BYTES, "property" },
		{ "peak_memory_usage.cuda", UNIT_BYTES, "memory" },
		{ "memory.free", UNIT_BYTES, "property" },
		{ "Baseline metrics: Step time (mean)", UNIT_NS, "time" },
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
		{ "total_runtime_sec", UNIT_NS, "duration" },
		{ "model_info.total_params", UNIT_NONE, "property" },
		{ "model_info.total_size_mb", UNIT_BYTES, "memory" },
		{ "mean_ttft_ms", UNIT_NS, "time" },
		{ "median_itl_ms", UNIT_NS, "time" },
		{ "p99_ttft_ms", UNIT_NS, "quantile" },
		{ "std_ttft_ms", UNIT_NS, "property" },
		{ "total_token_throughput", UNIT_NONE, "throughput" },
		{ "request_goodput", UNIT_NONE, "throughput" },
		{ "total_output_tokens_retokenized", UNIT_NONE, "property" },
		{ "completed", UNIT_COUNT, "accuracy" },
		{ "failed", UNIT_COUNT, "error" },
		{ "input_lens", UNIT_COUNT, "property" },
		/* units stay whole, and whatever joins words */
		{ "samples/sec", UNIT_NONE, "throughput" },
		{ "Tokens/s/device", UNIT_NONE, "throughput" },
		{ "output (toks/s)", UNIT_NONE, "throughput" },
		{ "Computation (steps/s)", UNIT_NONE, "throughput" },
		{ "perf/tokens_per_second_per_gpu", UNIT_NONE, "throughput" },
		{ "Output token throughput (tok/s)", UNIT_NONE, "throughput" },
		{ "Mean TTFT (ms)", UNIT_NS, "time" },
		{ "elapsed time per iteration (ms)", UNIT_NS, "time" },
		{ "elapsed time per iteration", UNIT_NONE, "time" },
		{ "train_step_timing in s", UNIT_NS, "time" },
		{ "time/iter", UNIT_NONE, "time" },
		{ "batch_cost", UNIT_NONE, "time" },
		{ "outputTokensPerSec", UNIT_NONE, "throughput" },
		{ "iter/s", UNIT_NONE, "throughput" },
		{ "wps", UNIT_NONE, "throughput" },
		{ "ips", UNIT_NONE, "throughput" },
		{ "model_tflops_per_gpu", UNIT_NONE, "throughput" },
		{ "loss scale", UNIT_NONE, "property" },
		{ "train step", UNIT_NS, "time" },
		{ "[pytest -k lr].stats.mean", UNIT_NS, "time" },
		{ "job_id", UNIT_NONE, "property" },
		{ "master.port", UNIT_NONE, "property" },
		{ "Waiting", UNIT_NONE, "unknown" },
		{ "Avg Draft acceptance rate", UNIT_RATIO, "utilization" },
		{ "Mean acceptance length", UNIT_NONE, "utilization" },
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
static void tolerances(void **state)
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
	assert_float_equal(figure_kind_floor(k, UNIT_NS), 10, 0);
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
		{ "lr", ROLE_RATE }, { "eval_accuracy", ROLE_ACCURACY },
		{ "Tokens/s/device", ROLE_TOKENS_PER_S }, { "ms/step", ROLE_STEP_TIME },
		{ "time", ROLE_CLOCK }, { "elapsed time per iteration (ms)", ROLE_STEP_TIME },
		{ "perf.step_time.mean", ROLE_STEP_TIME }, { "perf.step_time.std", ROLE_OTHER },
		{ "max_mem_mb", ROLE_ALLOCATED }, { "Waiting", ROLE_OTHER }, { "", ROLE_OTHER },
		{ "/", ROLE_OTHER } };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++)
		if (metric_role(span_of(cases[i].name)) != cases[i].role)
			fail_msg("%s is %s", cases[i].name,
				metric_role_word(metric_role(span_of(cases[i].name))));
}

static void units_of_names(void **state)
{
	static const struct {
		const char *key;
		enum measure measure;
	} keys[] = {
		{ "mean_allocated_gb", MEASURE_GIB },
		{ "total_size_mb", MEASURE_MIB },
		{ "cuda_mem_mb_peak", MEASURE_MIB },
		{ "total_sec", MEASURE_S },
		{ "elapsed_seconds", MEASURE_S },
		{ "samples_per_sec", MEASURE_PER_S },
		{ "tokens_per_second", MEASURE_PER_S },
		{ "approx_tokens_per_sec", MEASURE_PER_S },
		{ "wall_time_ms", MEASURE_MS },
		{ "cpu_time_total_us", MEASURE_US },
		{ "peak_mem_bytes", MEASURE_BYTE },
		{ "gpu_mem_used", MEASURE_MIB },
		{ "memory/max_active(GiB)", MEASURE_GIB },
		{ "train_step_timing in s", MEASURE_S },
		{ "elapsed time per iteration (ms)", MEASURE_MS },
		{ "ms/step", MEASURE_MS },
		{ "time_per_output_token_ms", MEASURE_MS },
		{ "latency_ms.p99", MEASURE_MS },
		{ "latency_p99_ms", MEASURE_MS },
		{ "tokens/s/device", MEASURE_PER_S },
		{ "memory_gb_max", MEASURE_GIB },
		{ "s", MEASURE_NONE },
		{ "stages[fit].seconds", MEASURE_S },
		{ "loss", MEASURE_NONE },
		{ "num_steps", MEASURE_NONE },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(keys); i++)
		if (measure_of_key(span_of(keys[i].key)) != keys[i].measure)
			fail_msg("%s", keys[i].key);
	assert_int_equal(measure_of_unit(SPAN("MiB")), MEASURE_MIB);
	assert_int_equal(measure_of_unit(SPAN("\xc2\xb5s")), MEASURE_US);
	assert_int_equal(measure_of_unit(SPAN("\xce\xbcs")), MEASURE_US);
	assert_int_equal(measure_of_unit(SPAN("parsec")), MEASURE_NONE);
	assert_true(measure_base(MEASURE_GIB, 2) == 2147483648.0);
	assert_true(measure_base(MEASURE_MS, 8.76) == 8760000.0);
	assert_true(measure_base(MEASURE_PER_S, 3) == 3);
}

/* Names of any bytes and lengths end in an answer. */
static void odd_names(void **state)
{
	char name[2000];
	uint64_t x = 1;

	(void)state;
	for (size_t n = 0; n < sizeof(name); n = n * 2 + 1) {
		for (size_t i = 0; i < n; i++) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			name[i] = "%%./ _aB9\xc2|s"[x >> 60 & 15 ? (x >> 60) % 12 : 0];
		}
		assert_non_null(figure_kind((struct span){ name, n }, UNIT_NONE));
		(void)measure_of_key((struct span){ name, n });
		(void)metric_role((struct span){ name, n });
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_of_names),
		cmocka_unit_test(tolerances),
		cmocka_unit_test(roles_of_names),
		cmocka_unit_test(units_of_names),
		cmocka_unit_test(odd_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
