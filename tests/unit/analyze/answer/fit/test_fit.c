/* `fit`: the documents' figures to the digit, the bytes of each regime by hand, names of GPUs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/answer/fit/fit.h"
#include "analyze/costmodel/hardware.h"
#include "analyze/trace/columns/record.h"
#include "base/compiler.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"

/* In double: cmocka's assert_float_equal compares floats. */
#define NEAR(a, b, eps) assert_true(fabs((a) - (b)) <= (eps))

#define BILLION         INT64_C(1000000000)
#define GIB             1073741824.0

static const struct fit_overhead nothing = { 0, 0 };

static const struct fit_regime *regime(const char *id)
{
	size_t i, n;
	const struct fit_regime *r = fit_regimes(&n);

	for (i = 0; i < n; i++)
		if (strcmp(r[i].word.id, id) == 0)
			return &r[i];
	fail_msg("no regime %s", id);
	return NULL;
}

static double need_gib(const char *id, int64_t params, int64_t trainable, int64_t gpus)
{
	const struct fit_model m = { .params = params, .trainable = trainable };
	struct fit_need n;

	fit_need(&n, regime(id), &m, &nothing, gpus);
	assert_int_equal(n.need, n.weights + n.grads + n.optimizer);
	assert_int_equal(n.total, n.need);
	return (double)n.need / GIB;
}

static double ask_one(const char *id, double params_billion)
{
	return need_gib(id, (int64_t)llround(params_billion * 1e9), 0, 1);
}

/* The table of the documents: P x 2 and P x 12 over 2^30. */
static void the_documents_figures(void **state)
{
	(void)state;
	NEAR(ask_one("infer_fp16", 7), 13.039, 5e-4);
	NEAR(ask_one("adam_seed", 7), 78.231, 5e-4);
	NEAR(ask_one("infer_fp16", 70), 130.385, 5e-4);
	NEAR(ask_one("adam_seed", 70), 782.311, 5e-4);
	NEAR(ask_one("infer_fp16", 37), 68.918, 5e-4);
	NEAR(ask_one("adam_seed", 37), 413.507, 5e-4);
	NEAR(ask_one("infer_fp16", 236), 439.6, 0.05);
	NEAR(ask_one("adam_seed", 236), 2637.5, 0.05);
	NEAR(ask_one("infer_fp16", 671), 1249.8, 0.05);
}

/* Bytes per parameter, of 10^9 parameters and 10^7 trainable ones, on 8 GPUs where divided. */
static void bytes_of_each_regime(void **state)
{
	static const struct {
		const char *id;
		double bytes; /* per parameter */
	} want[] = { { "infer_fp32", 4 }, { "infer_fp16", 2 }, { "infer_int8", 1 },
		{ "infer_nf4", 0.56 }, { "adam_fp32_grads", 18 }, { "adam_master", 16 },
		{ "adam_autocast", 16 }, { "adam_seed", 12 }, { "adam_8bit", 10 },
		{ "lora", 2 + 0.16 }, { "qlora", 0.56 + 0.16 }, { "zero1", 4 + 12 / 8.0 },
		{ "zero2", 2 + 14 / 8.0 }, { "zero3", 16 / 8.0 } };
	size_t i, n;

	(void)state;
	(void)fit_regimes(&n);
	assert_int_equal(n, COUNT_OF(want));
	for (i = 0; i < COUNT_OF(want); i++)
		assert_int_equal(llround(need_gib(want[i].id, BILLION, BILLION / 100, 8) * GIB),
			llround(want[i].bytes * 1e9));
}

static enum fit_verdict judge(double need_gib, double capacity_gib)
{
	const struct fit_need n = { .total = (int64_t)(need_gib * GIB) };

	return fit_judge(&n, (int64_t)(capacity_gib * GIB));
}

static void verdicts_at_their_limits(void **state)
{
	(void)state;
	assert_int_equal(judge(9, 10), FIT_FITS);
	assert_int_equal(judge(9.001, 10), FIT_TIGHT);
	assert_int_equal(judge(10, 10), FIT_TIGHT);
	assert_int_equal(judge(10.001, 10), FIT_TOO_LARGE);
	assert_int_equal(judge(1, 0), FIT_UNKNOWN);
}

/* 16/N of 7 B on 16 GiB: 14.4 usable, less 0.75, over 1.05 = 13.0; 104.31 / 13.0 = 8.02. */
static void fewest_gpus(void **state)
{
	static const struct fit_overhead usual = { 0.05, INT64_C(768) << 20 };
	const struct fit_model m = { .params = 7 * BILLION };
	int64_t capacity = INT64_C(16) << 30;
	struct fit_need n;

	(void)state;
	assert_int_equal(fit_gpus(regime("zero3"), &m, &usual, capacity), 9);
	fit_need(&n, regime("zero3"), &m, &usual, 9);
	assert_int_equal(fit_judge(&n, capacity), FIT_FITS);
	fit_need(&n, regime("zero3"), &m, &usual, 8);
	assert_int_equal(fit_judge(&n, capacity), FIT_TIGHT);
	assert_int_equal(fit_gpus(regime("zero1"), &m, &usual, capacity), 0); /* 4 x 7 > 14.4 */
	assert_int_equal(fit_gpus(regime("adam_seed"), &m, &usual, capacity), 0);
	assert_int_equal(fit_gpus(regime("infer_int8"), &m, &usual, capacity), 1);
}

/* The largest model is one that fits, and one parameter in a hundred more does not. */
static void largest_model(void **state)
{
	static const struct fit_overhead usual = { 0.05, INT64_C(768) << 20 };
	const struct fit_model m = { .params = BILLION };
	int64_t capacity = INT64_C(24) << 30, most;
	size_t i, n;
	const struct fit_regime *r = fit_regimes(&n);

	(void)state;
	for (i = 0; i < n; i++) {
		struct fit_model other = m;
		struct fit_need need;

		most = fit_most_params(&r[i], &m, &usual, capacity, 4);
		other.params = most;
		fit_need(&need, &r[i], &other, &usual, 4);
		assert_int_equal(fit_judge(&need, capacity), FIT_FITS);
		other.params = most + most / 100;
		fit_need(&need, &r[i], &other, &usual, 4);
		assert_int_not_equal(fit_judge(&need, capacity), FIT_FITS);
	}
}

/*
 * Llama-3-8B: 2 x 32 layers x 8 heads x 128 x 2 bytes = 131,072 bytes a token.
 * Korthikanti et al., GPT-3 175B: 96 layers, s 2048, b 1, h 12288, a 96: s b h (34 + 80) a layer.
 */
static void cache_and_activations(void **state)
{
	struct fit_options o = { .layers = 32, .hidden = 4096, .heads = 32, .kv_heads = 8 };
	struct fit_options gpt = { .layers = 96,
		.hidden = 12288,
		.heads = 96,
		.seq = 2048,
		.batch = 1,
		.attention = "standard" };
	const int64_t sbh = INT64_C(2048) * 12288;
	int64_t v;

	(void)state;
	assert_true(fit_kv_token(&o, &v));
	assert_int_equal(v, 131072);
	o.kv_dtype = "fp8";
	assert_true(fit_kv_token(&o, &v));
	assert_int_equal(v, 65536);
	assert_true(fit_activations(&gpt, &v));
	assert_int_equal(v, 96 * sbh * (34 + 80));
	gpt.attention = NULL;
	assert_true(fit_activations(&gpt, &v));
	assert_int_equal(v, 96 * sbh * 34);
	gpt.recompute = "full";
	assert_true(fit_activations(&gpt, &v));
	assert_int_equal(v, 96 * sbh * 2);
	gpt.hidden = INT64_C(1) << 40;
	gpt.seq = INT64_C(1) << 40;
	assert_false(fit_activations(&gpt, &v));
}

static void numbers_of_parameters(void **state)
{
	static const struct {
		const char *text;
		int64_t n;
	} good[] = { { "7B", 7 * BILLION }, { "0.5b", BILLION / 2 }, { "494,033,920", 494033920 },
		{ "494.03M", 494030000 }, { "1.5T", 1500 * BILLION }, { "7 B", 7 * BILLION },
		{ "7_000", 7000 }, { "1", 1 }, { "1000T", FIT_PARAMS_MAX } };
	static const char *const bad[] = { "", "B", "7X", "0", "-7B", "7BB", "1.5", "1.2.3B", ".",
		"1001T", "99999999999999999999", "0.00000000000000000000000000000001B", "nan",
		"1e9" };
	struct err e;
	int64_t n;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(good); i++) {
		assert_int_equal(fit_parse_params(good[i].text, "--params", &n, &e), OK);
		assert_int_equal(n, good[i].n);
	}
	for (i = 0; i < COUNT_OF(bad); i++)
		if (fit_parse_params(bad[i], "--params", &n, &e) != E_USAGE)
			fail_msg("'%s' was taken", bad[i]);
}

static void names_of_gpus(void **state)
{
	static const char *const same[][2] = { { "t4", "T4" }, { "Tesla T4", "T4" },
		{ "NVIDIA A100-SXM4-80GB", "A100-80" }, { "a100_40", "A100-40" },
		{ "A100-40GB", "A100-40" }, { "4090", "RTX-4090" },
		{ "NVIDIA GeForce RTX 4090", "RTX-4090" }, { "AMD Instinct MI300X", "MI300X" },
		{ "h100", "H100-80" }, { "NVIDIA H100 80GB HBM3", "H100-80" },
		{ "Tesla V100-SXM2-32GB", "V100-32" }, { "MI250X", "MI250X" } };
	const struct hardware *g;
	bool is_ambiguous;
	size_t i, k, n;

	(void)state;
	for (i = 0; i < COUNT_OF(same); i++) {
		g = hardware_named(same[i][0], &is_ambiguous);
		assert_string_equal(g ? g->name : same[i][0], same[i][1]);
	}
	assert_null(hardware_named("A100", &is_ambiguous));
	assert_true(is_ambiguous);
	assert_null(hardware_named("", &is_ambiguous));
	assert_false(is_ambiguous);
	g = hardware_all(&n);
	for (i = 0; i < n; i++)
		for (k = 0; k < n; k++)
			assert_true(
				(hardware_named(g[i].name, &is_ambiguous) == &g[k]) == (i == k));
}

/* A file that says what the model is: 32 layers, 8 KV heads of 128, 8 B parameters. */
static void a_model_from_a_file(void **state)
{
	static const struct {
		const char *key;
		double v;
	} says[] = { { "model_info.total_params", 8e9 }, { "model_info.num_hidden_layers", 32 },
		{ "model_info.hidden_size", 4096 }, { "model_info.num_attention_heads", 32 },
		{ "model_info.num_key_value_heads", 8 } };
	struct hand_answer h;
	const struct table *t;
	struct run r;
	size_t i;

	(void)state;
	run_init(&r, 0);
	r.record = record_new();
	(void)record_artifact(r.record, "baseline_metrics.json", "baseline", "baseline metrics");
	for (i = 0; i < COUNT_OF(says); i++) {
		const struct scalar s = {
			.key = span_of(says[i].key), .type = SCALAR_NUMBER, .number = says[i].v
		};

		record_scalar(r.record, &r.record->scalars, &s);
	}
	hand_ask(&h, &analysis_fit, &r, false);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "regimes");
	i = hand_find(t, "id", "infer_fp16");
	assert_int_equal(hand_int(t, i, "need_bytes"), 16 * BILLION);
	assert_false(hand_knows(t, i, "kv_tokens")); /* no GPU */
	assert_non_null(hand_table(&h, "gpus"));
	hand_release(&h);
	run_clear(&r);
}

/* What NVML reports, before the driver's context takes its part: a little above the table. */
static void capacities(void **state)
{
	static const struct {
		const char *name;
		int64_t mib;
	} nvml[] = { { "T4", 15360 }, { "A10", 23028 }, { "L4", 23034 }, { "L40S", 46068 },
		{ "A100-40", 40960 }, { "A100-80", 81920 }, { "H100", 81559 }, { "H200", 143771 } };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(nvml); i++) {
		double total = (double)nvml[i].mib * 1048576;
		struct capacity c;
		struct err e;

		err_clear(&e);
		assert_int_equal(capacity_parse(nvml[i].name, "--gpu", &c, &e), OK);
		if (!((double)c.memory < total && (double)c.memory > 0.97 * total))
			fail_msg("%s: %.0f MiB of %lld", nvml[i].name, (double)c.memory / 1048576,
				(long long)nvml[i].mib);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_documents_figures),
		cmocka_unit_test(bytes_of_each_regime),
		cmocka_unit_test(verdicts_at_their_limits),
		cmocka_unit_test(fewest_gpus),
		cmocka_unit_test(largest_model),
		cmocka_unit_test(cache_and_activations),
		cmocka_unit_test(numbers_of_parameters),
		cmocka_unit_test(names_of_gpus),
		cmocka_unit_test(a_model_from_a_file),
		cmocka_unit_test(capacities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
