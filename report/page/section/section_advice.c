/* Sections that say what could be done, each with the figure that speaks for it, and what was not
 * recorded, so cannot be said.
 *
 * The limits are those of the documents of the field where they have one (docs/definitions.md). */
#include "report/page/section/section.h"

/* Shares of a step, or of device time, below which there is little to gain. */
static const double WORTH = 0.10, SHORT_NS = 10000, ROOM = 0.60, FULL = 0.97;

/* ---- opportunities ---- */

struct advice {
	struct page *d;
	struct page_block *b;
};

static void advise(struct advice *a, enum page_tone tone, const char *what, const char *evidence,
	const char *act)
{
	PAGE_ROW(a->d, a->b, tone, what, evidence, act);
}

/* Share of device time in kernels whose names have one of the words. */
static double share_of_names(const struct table *t, const char *words)
{
	double share = 0;

	for (size_t i = 0; i < table_rows(t); i++) {
		struct span name = table_word(t, i, "name");
		double part = table_number(t, i, "share_ratio");

		if (span_has_in_nocase(name, words) && !isnan(part))
			share += part;
	}
	return share;
}

/* The major compute capability of the first device that is used; 0: unknown, or not CUDA's. */
static int capability(const struct answers *in)
{
	const struct table *t = answers_rows(in, ask_info, "gpus");

	for (size_t i = 0; t && i < table_rows(t); i++) {
		struct span cc = table_word(t, i, "compute_capability");

		if (table_number(t, i, "device_events") > 0 && cc.n > 0 &&
			!span_has_nocase(table_word(t, i, "name"), "amd"))
			return cc.p[0] - '0';
	}
	return 0;
}

/* What helps depends on what the device has. */
static const char *precision_advice(const struct answers *in)
{
	enum { VOLTA = 7, AMPERE = 8 };
	int cc = capability(in);

	if (cc >= AMPERE)
		return "bf16 or fp16 (torch.autocast), or TF32 for what must stay fp32";
	if (cc == VOLTA)
		return "fp16 (torch.autocast, with a GradScaler); this GPU has neither bf16 "
		       "nor TF32 in its tensor cores";
	return cc > 0 ? "fp16 saves memory only: this GPU has no tensor cores"
		      : "bf16 or fp16 (torch.autocast), where the GPU has matrix units for it";
}

/* Share of device time in kernels so called; false: there are none, and that is said. */
static bool find_share(struct advice *a, const struct answers *in, const char *what,
	const char *words, double *share)
{
	const struct table *t = answers_rows(in, ask_kernels, "kernels");

	*share = share_of_names(t, words);
	if (!t)
		advise(a, TONE_UNKNOWN, what, "no kernels in the trace", "");
	return t != NULL;
}

static void advise_precision(struct advice *a, const struct answers *in)
{
	const struct table *t = answers_rows(in, ask_kernels, "kernels");
	const struct table *dev = answers_rows(in, ask_kernels, "devices");
	double share, cores = dev ? table_number(dev, 0, "tensor_core_ratio") : NAN;

	if (!find_share(
		    a, in, "lower precision", "sgemm|_f32f32_f32f32_|s884gemm_f32|_simt_", &share))
		return;
	advise(a, share >= WORTH ? TONE_WARN : TONE_GOOD, "lower precision",
		page_printf(a->d,
			"single-precision matrix kernels are %s of kernel time among the heaviest %zu; "
			"tensor cores %s of it",
			section_percent(a->d, share), table_rows(t), section_percent(a->d, cores)),
		share >= WORTH ? precision_advice(in) : "little to gain");
}

static void advise_fusion(struct advice *a, const struct answers *in)
{
	const struct table *t = answers_rows(in, ask_kernels, "kernels");
	double share;

	if (!find_share(a, in, "fusion",
		    "elementwise|pointwise|layer_norm|softmax|unrolled|reduce_kernel", &share))
		return;
	advise(a, share >= WORTH ? TONE_WARN : TONE_GOOD, "fusion",
		page_printf(a->d,
			"element-wise, normalizing and reducing kernels are %s of kernel time "
			"among the heaviest %zu",
			section_percent(a->d, share), table_rows(t)),
		share >= WORTH
			? "torch.compile or fused kernels: each pass over memory saved counts"
			: "little to gain");
}

/* Share of kernels that run below SHORT_NS, and of their time. */
static bool short_kernels(const struct table *t, double *count, double *all)
{
	*count = *all = 0;
	for (size_t i = 0; i < table_rows(t); i++) {
		double n = table_number(t, i, "kernels");

		*all += n;
		*count += table_number(t, i, "to_ns") <= SHORT_NS ? n : 0;
	}
	return *all > 0;
}

static void advise_graphs(struct advice *a, const struct answers *in)
{
	const struct table *t = answers_rows(in, ask_kernels, "durations"), *rules;
	double n = 0, all = 0, share = NAN, launch = NAN;
	size_t row;

	if (section_finding(in, "G09", &rules, &row))
		launch = table_number(rules, row, "share_ratio");
	if (!short_kernels(t, &n, &all)) {
		advise(a, TONE_UNKNOWN, "graphs of launches", "no kernels in the trace", "");
		return;
	}
	share = n / all;
	advise(a, launch >= WORTH / 2 ? TONE_WARN : TONE_GOOD, "graphs of launches",
		page_printf(a->d,
			"%s of a step waits for launches; %s of %.0f kernels run below 10 us",
			section_percent(a->d, launch), section_percent(a->d, share), all),
		launch >= WORTH / 2
			? "record launches as a graph, or torch.compile(mode=\"reduce-overhead\")"
			: "little to gain");
}

/* The largest share of a device's memory that was used; NaN: unknown. */
static double memory_used(const struct answers *in)
{
	const struct table *t = answers_rows(in, ask_memory, "peaks");
	double used = NAN;

	for (size_t i = 0; i < table_rows(t); i++) {
		double v = table_number(t, i, "capacity_ratio");

		if (!isnan(v) && !(v <= used))
			used = v;
	}
	return used;
}

/* Share of device time in kernels, communication apart, that cannot fill the device. */
static double small_grids(const struct answers *in)
{
	const struct table *t = answers_rows(in, ask_kernels, "kernels");
	double share = NAN;

	for (size_t i = 0; i < table_rows(t); i++) {
		double blocks = table_number(t, i, "blocks_per_sm");

		if (isnan(blocks) || span_is(table_word(t, i, "class"), "comm"))
			continue;
		share = (isnan(share) ? 0 : share) +
			(blocks < 1 ? table_number(t, i, "share_ratio") : 0);
	}
	return share;
}

static void advise_batch(struct advice *a, const struct answers *in)
{
	double small = small_grids(in), used = memory_used(in);
	enum page_tone tone = TONE_GOOD;
	const char *act = "little to gain";

	if (isnan(small) && isnan(used)) {
		tone = TONE_UNKNOWN;
		act = "";
	} else if (used > FULL) {
		tone = TONE_BAD;
		act = "a smaller batch, gradient accumulation or checkpointing: memory is full";
	} else if ((isnan(used) || used < ROOM) && (isnan(small) || small >= WORTH)) {
		tone = TONE_WARN;
		act = isnan(used) ? "a larger batch, if memory allows it"
				  : "a larger batch: there is room on the GPU";
	}
	advise(a, tone, "batch size",
		page_printf(a->d,
			"kernels with fewer blocks than the GPU has multiprocessors are %s of "
			"kernel time among the heaviest; %s",
			section_percent(a->d, small),
			isnan(used) ? "the peak of memory was not recorded"
				    : page_printf(a->d, "peak memory is %s of the GPU's",
					      section_percent(a->d, used))),
		act);
}

/* A rule of diagnose as an opportunity. */
static void advise_rule(
	struct advice *a, const struct answers *in, const char *rule, const char *what)
{
	const struct table *t;
	size_t row;

	if (!section_finding(in, rule, &t, &row))
		return;
	struct span severity = table_word(t, row, "severity");
	if (!span_is(severity, "WARN") && !span_is(severity, "CRIT"))
		return;
	advise(a, TONE_WARN, what, section_word(a->d, t, row, "finding"),
		section_word(a->d, t, row, "action"));
}

static void write_opportunities(const struct answers *in, struct page *d)
{
	static const struct page_column col[] = { { "what", false, false },
		{ "evidence", false, true }, { "what to do", false, true } };
	struct advice a = { .d = d };

	if (!answers_rows(in, ask_info, "trace"))
		return;
	page_heading(d, "Opportunities");
	a.b = page_table(d, NULL, col, COUNT_OF(col));
	a.b->is_prose = true;
	advise_rule(&a, in, "G10", "data loading");
	advise_rule(&a, in, "G03", "copies");
	advise_rule(&a, in, "G04", "type casts");
	advise_rule(&a, in, "G13", "communication");
	advise_precision(&a, in);
	advise_fusion(&a, in);
	advise_graphs(&a, in);
	advise_batch(&a, in);
	double share;
	if (!find_share(&a, in, "quantisation", "gemm|gemv|cutlass|cublas", &share))
		return;
	advise(&a, TONE_NONE, "quantisation",
		page_printf(a.d,
			"matrix kernels are %s of kernel time: int8 or fp8 touches this part at most; "
			"what it costs in accuracy a trace cannot say",
			section_percent(a.d, share)),
		"for inference only, and measured");
}

const struct section section_opportunities = {
	.id = "opportunities",
	.ask = { ask_info, ask_diagnose, ask_kernels, ask_memory },
	.write = write_opportunities,
};

/* ---- what is missing ---- */

static void put_missing(struct page *d, bool *has_heading, const char *what, const char *why)
{
	if (!*has_heading)
		page_heading(d, "What the trace does not say");
	*has_heading = true;
	page_item(d, TONE_UNKNOWN, "%s: %s", what, why);
}

/* Sections that were asked for and got no answer, as of a digest: they need the trace itself. */
static void put_unanswered(const struct answers *in, struct page *d, bool *has_heading)
{
	const struct {
		const char *what, *ask;
	} asked[] = { { "the critical path, what changes would bring", ask_critical },
		{ "the roofline, how far from what the GPU can do", ask_roofline } };

	for (size_t i = 0; i < COUNT_OF(asked); i++) {
		const struct answer *a = answers_find(in, asked[i].ask);

		if (a && !a->result && a->why)
			put_missing(d, has_heading, asked[i].what, a->why);
	}
}

static void write_missing(const struct answers *in, struct page *d)
{
	static const struct {
		const char *what, *need;
	} wanted[] = { { "GPU work", "everything about the GPU" },
		{ "runtime calls", "launches, queues, why the GPU waits" },
		{ "allocator events", "memory over time, leaks, who allocates" },
		{ "input shapes", "rows by shape, casts by type" },
		{ "call stacks", "stacks and flame graphs" }, { "annotations", "stages" } };
	const struct table *t = answers_rows(in, ask_info, "recorded");
	bool has_heading = false;
	size_t row;

	for (size_t i = 0; t && i < COUNT_OF(wanted); i++) {
		if (!table_find_word(t, "what", span_of(wanted[i].what), &row))
			continue;
		double seen = table_number(t, row, "seen");
		if (seen > 0 || span_is(table_word(t, row, "said"), "yes"))
			continue;
		struct span how = table_word(t, row, "how");
		put_missing(d, &has_heading, wanted[i].need,
			page_printf(d, "needs %s%s", wanted[i].what,
				how.n ? page_printf(d, " (%.*s)", (int)how.n, how.p) : ""));
	}
	if (t)
		put_unanswered(in, d, &has_heading);
}

const struct section section_missing = {
	.id = "missing",
	.ask = { ask_info },
	.write = write_missing,
};
