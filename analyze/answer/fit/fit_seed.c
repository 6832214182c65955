/* `fit --seed-compat`: the documents' own tables of model memory, digit by digit, with what traceq
 * says beside them. */
#include "analyze/answer/fit/fit.h"

#define BILLION     INT64_C(1000000000)
#define CONTEXT     (INT64_C(768) << 20)
#define GIB         (INT64_C(1) << 30)
#define V3_RESIDENT (671 * BILLION)
#define ASSUMED     (INT64_C(16) << 30)

/* required: GB, the script's literal. */
static const struct {
	const char *name;
	int64_t params;
} models[] = {
	{ "DeepSeek-Math-7B", 7 * BILLION },
	{ "DeepSeek-Math-70B", 70 * BILLION },
	{ "DeepSeek-V3 (active)", 37 * BILLION },
	/* which V2 has: V3 has 671 */
	{ "DeepSeek-V3 (total)", 236 * BILLION },
};

static const struct {
	const char *name;
	int64_t required, resident;
	bool is_training;
} cases[] = {
	{ "DeepSeek-Math-7B (inference)", 14, 7 * BILLION, false },
	{ "DeepSeek-Math-7B (training)", 60, 7 * BILLION, true },
	{ "DeepSeek-Math-70B (inference)", 140, 70 * BILLION, false },
	{ "DeepSeek-V3 active (inference)", 74, V3_RESIDENT, false },
	{ "DeepSeek-V3 active (training)", 296, V3_RESIDENT, true },
};

static void put_gb(struct table *t, size_t col, int64_t bytes)
{
	table_textf(t, col, "%.1f GB", (double)bytes / (double)GIB);
}

static const struct fit_regime *regime_of(bool is_training)
{
	size_t n;
	const struct fit_regime *r = fit_regimes(&n);

	for (EACH(const struct fit_regime, regime, r, n))
		if (span_is(span_of(regime->word.id), is_training ? "adam_master" : "infer_fp16"))
			return regime;
	return r;
}

static void put_cases(struct result *out, int64_t known)
{
	const int64_t capacity = known ? known : ASSUMED;
	static const struct fit_overhead overhead = { 0.05, CONTEXT };
	struct table *t = result_table(out, "seed_compatibility", "Model Compatibility Check",
		fit_docs[FIT_COMPAT].col, FCOMPAT_COLUMNS);

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct fit_model m = { .params = cases[i].resident };
		struct fit_need n;

		fit_need(&n, regime_of(cases[i].is_training), &m, &overhead, 1);
		TABLE_ROW(t, [FCOMPAT_MODEL] = cell_word(cases[i].name));
		put_gb(t, FCOMPAT_REQUIRED, cases[i].required * GIB);
		TABLE_CELLS(t,
			[FCOMPAT_STATUS] = cell_word(
				cases[i].required * GIB <= capacity ? "✓ Fits" : "✗ Too large"),
			[FCOMPAT_NEED] = cell_textf(t, "%.1f GiB", (double)n.need / (double)GIB),
			[FCOMPAT_NEED_BYTES] = cell_int(n.need),
			[FCOMPAT_VERDICT] = cell_word(fit_verdict_word(fit_judge(&n, capacity))),
			[FCOMPAT_REQUIRED_BYTES] = cell_int(cases[i].required * GIB),
			[FCOMPAT_CAPACITY] = CELL_IF(known, cell_int(known)));
	}
	t->footnote = arena_printf(
		&out->mem, "Available GPU Memory: %.2f GB", (double)capacity / (double)GIB);
}

void fit_seed(struct result *out, int64_t capacity)
{
	struct table *t = result_table(out, "seed_models", "Model Memory Requirements",
		fit_docs[FIT_SEED].col, FSEED_COLUMNS);
	for (size_t i = 0; i < COUNT_OF(models); i++) {
		TABLE_ROW(t, [FSEED_MODEL] = cell_word(models[i].name));
		put_gb(t, FSEED_INFERENCE, 2 * models[i].params);
		put_gb(t, FSEED_TRAINING, 12 * models[i].params);
		TABLE_CELLS(t, [FSEED_PARAMS] = cell_int(models[i].params),
			[FSEED_INFERENCE_BYTES] = cell_int(2 * models[i].params),
			[FSEED_TRAINING_BYTES] = cell_int(12 * models[i].params));
	}
	t->footnote = "as the document prints it: its GB are GiB (2^30)";
	put_cases(out, capacity);
	result_note(out, NOTE_INFO, "seed_fit", -1, -1,
		"the document's two tables contradict each other (7B training: 78.2 and 60), "
		"leave out master weights (16 bytes per parameter: 104.3 GiB), and count only "
		"V3's active 37 B; all of its 671 B must be resident: 1249.8 GiB in fp16");
}
