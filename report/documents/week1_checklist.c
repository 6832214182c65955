/* Sections of the week-1 documents' lists: what to write down, and what they expect of their model.
 *
 * Source: the week 1 documents, Key Findings to Document and Expected Baseline Results. */
#include "report/documents/week1.h"

#define FULL "full_dataset_metrics."

static const double MIB = 1048576, MEGABYTE = 1e6, GB = 1e9;

struct list {
	const struct answers *in;
	struct page *d;
	struct page_block *b;
};

static void begin(struct list *l, const char *title)
{
	static const struct page_column col[] = { { "finding", false, false },
		{ "", false, true } };

	page_text(l->d, "%s:", title);
	l->b = page_table(l->d, NULL, col, COUNT_OF(col));
	l->b->is_prose = true;
}

/* An item: known when there is a text, else why is said. */
static void tick_or(struct list *l, const char *what, const char *text, const char *why)
{
	bool is_known = text && *text;

	PAGE_ROW(l->d, l->b, is_known ? TONE_GOOD : TONE_UNKNOWN, what,
		is_known      ? text
			: why ? why
			      : "not known");
}

static void tick(struct list *l, const char *what, const char *text)
{
	tick_or(l, what, text, NULL);
}

/* The row of the sizes that the answer's column names; false: there is none. */
static bool size_row(const struct list *l, const char *which, size_t *row)
{
	const struct table *sizes = week1_sizes(l->in), *a = week1_answer(l->in);

	return sizes && a && week1_size(sizes, table_number(a, 0, which), row);
}

static void put_performance(struct list *l)
{
	const struct table *sizes = week1_sizes(l->in);
	size_t best, sweet;
	bool has_best = size_row(l, "best_batch", &best);
	bool has_sweet = size_row(l, "sweet_spot", &sweet);

	begin(l, "Performance baseline");
	tick(l, "optimal batch size",
		has_sweet ? page_printf(l->d, "%s, the smallest within 5%% of the best",
				    page_value(l->d, sizes, sweet, "batch_size"))
			  : NULL);
	tick(l, "latency per sample there",
		has_sweet ? page_value(l->d, sizes, sweet, "latency_per_sample_ns") : NULL);
	tick(l, "maximum throughput",
		has_best ? page_printf(l->d, "%s samples/s at batch size %s",
				   page_value(l->d, sizes, best, "samples_per_s"),
				   page_value(l->d, sizes, best, "batch_size"))
			 : NULL);
	if (has_sweet && page_has(sizes, sweet, "peak_bytes"))
		tick(l, "GPU memory usage there", page_value(l->d, sizes, sweet, "peak_bytes"));
	else
		tick(l, "GPU memory usage there",
			has_sweet && page_has(sizes, sweet, "used_bytes")
				? page_printf(l->d, "%s, peak not said",
					  page_value(l->d, sizes, sweet, "used_bytes"))
				: NULL);
}

/* Who allocates, as the trace says it or a table of operations, else how memory grows. */
static const char *allocations(struct list *l)
{
	const struct table *t = answers_rows(l->in, ask_memory, "ops"), *a = week1_answer(l->in);

	if (t)
		return page_printf(l->d, "%s allocates most: %s", section_word(l->d, t, 0, "name"),
			page_value(l->d, t, 0, "self_alloc_bytes"));
	t = answers_rows(l->in, ask_top, "recorded_memory");
	if (t)
		return page_printf(l->d, "%s uses most: %s", section_word(l->d, t, 0, "name"),
			page_value(l->d, t, 0, "device_bytes"));
	if (!page_has(a, 0, "memory_sample_bytes"))
		return NULL;
	return page_printf(l->d, "%s more a sample of the batch",
		page_value(l->d, a, 0, "memory_sample_bytes"));
}

/* What another batch size than the full run's gains. */
static const char *batch_potential(struct list *l)
{
	const struct table *sizes = week1_sizes(l->in);
	double used = week1_number(l->in, FULL "batch_size");
	size_t row, best;

	if (!size_row(l, "best_batch", &best))
		return NULL;
	double best_rate = table_number(sizes, best, "samples_per_s");
	if (isnan(used) || !week1_size(sizes, used, &row))
		return page_printf(
			l->d, "best at batch size %s", page_value(l->d, sizes, best, "batch_size"));
	if (row == best)
		return "none: the full run's batch size is the best measured";
	double now = table_number(sizes, row, "samples_per_s");
	return page_printf(l->d, "from %s (the full run's) to %s: throughput %s%s",
		page_value(l->d, sizes, row, "batch_size"),
		page_value(l->d, sizes, best, "batch_size"), best_rate >= now ? "+" : "",
		section_percent(l->d, best_rate / now - 1));
}

static const char *memory_needs(struct list *l)
{
	const struct table *a = week1_answer(l->in);
	double peak = week1_number(l->in, FULL "peak_gpu_mem");

	if (page_has(a, 0, "largest_batch"))
		return page_printf(l->d, "batches of up to %s fit into %s",
			page_value(l->d, a, 0, "largest_batch"),
			page_value(l->d, a, 0, "capacity_bytes"));
	if (page_has(a, 0, "memory_sample_bytes"))
		return page_printf(l->d, "%s and %s a sample; how much the GPU has is not known",
			page_value(l->d, a, 0, "memory_fixed_bytes"),
			page_value(l->d, a, 0, "memory_sample_bytes"));
	return isnan(peak)
		? NULL
		: page_printf(l->d, "the full run's peak is %s", section_bytes(l->d, peak * MIB));
}

static const char *precision(struct list *l)
{
	const char *type = week1_text(l->in, l->d, "model.dtype");
	double params = week1_number(l->in, "model_info.total_params");

	if (!*type)
		return NULL;
	if (strcmp(type, "float32") != 0)
		return page_printf(l->d, "%s already", type);
	if (isnan(params))
		return "float32 now: float16 or bfloat16 halve the weights";
	return page_printf(l->d, "float32 now: float16 or bfloat16 halve the weights to %s",
		section_bytes(l->d, params * 2));
}

static const char *fusion(struct list *l)
{
	double passes = NAN;

	if (answers_rows(l->in, ask_kernels, "kernels"))
		return "see the opportunities above: kernels by what they do";
	(void)week1_bound(l->in, l->d, &passes);
	return isnan(passes)
		? NULL
		: page_printf(l->d, "operations that only pass over memory are %s of GPU time",
			  section_percent(l->d, passes));
}

static void write_checklist(const struct answers *in, struct page *d)
{
	struct list l = { .in = in, .d = d };

	page_heading(d, "Key findings");
	double params = week1_number(l.in, "model_info.total_params");
	double accuracy = week1_number(l.in, FULL "accuracy");
	begin(&l, "Model characteristics");
	tick(&l, "total parameters",
		isnan(params) ? NULL : week1_fixed(&l.d->mem, params, 0, true));
	tick(&l, "model size on disk", week1_on_disk(l.in, l.d));
	tick_or(&l, "model size in GPU memory", week1_on_gpu(l.in, l.d),
		week1_gpu_doubt(l.in, l.d));
	tick(&l, "inference accuracy",
		isnan(accuracy) ? NULL : week1_fixed(&l.d->mem, accuracy, 4, false));
	put_performance(&l);
	const struct table *over = answers_rows(l.in, ask_summary, "overview");
	const struct table *t = answers_rows(l.in, ask_summary, "bottlenecks");
	const char *from;
	double busy = week1_busy(l.in, &from), passes;
	begin(&l, "Identified bottlenecks");
	tick(&l, "primary bottleneck",
		over ? section_word(l.d, over, 0, "bound_text") : week1_bound(l.in, l.d, &passes));
	tick(&l, "slowest operations",
		t ? week1_bottlenecks(l.in, l.d) : week1_heaviest(l.in, l.d, 3, &from));
	tick(&l, "memory allocation patterns", allocations(&l));
	tick(&l, "GPU utilisation", isnan(busy) ? NULL : section_percent(l.d, busy));
	begin(&l, "Optimization opportunities");
	tick(&l, "batch size tuning potential", batch_potential(&l));
	tick(&l, "memory optimization needs", memory_needs(&l));
	tick(&l, "precision reduction viability", precision(&l));
	tick(&l, "operator fusion opportunities", fusion(&l));
}

const struct section section_checklist = {
	.id = "checklist",
	.ask = { ask_info, ask_batch, ask_summary, ask_memory, ask_top, ask_smi },
	.write = write_checklist,
};

/* ---- what the documents expect ---- */

struct expected {
	const char *what, *range;
	double low, high;
	const char *shown; /* "-" when it is not known */
	double value;
	bool is_less_better, is_more_better;
};

static const char *judge(const struct expected *e)
{
	if (isnan(e->value))
		return "not known";
	if (e->value >= e->low && e->value <= e->high)
		return "as expected";
	if (e->value < e->low)
		return e->is_less_better ? "below: better" : "BELOW";
	return e->is_more_better ? "above: better" : "ABOVE";
}

/* Figures at the batch size that the documents name, else of the full run. */
static double at_32(const struct answers *in, const char *key, const char *of_full, double unit)
{
	const struct table *sizes = week1_sizes(in);
	size_t row;

	if (sizes && week1_size(sizes, 32, &row) && page_has(sizes, row, key))
		return table_number(sizes, row, key);
	return week1_number(in, of_full) * unit;
}

static void write_expected(const struct answers *in, struct page *d)
{
	static const struct page_column col[] = { { "figure", false, false },
		{ "expected", true, false }, { "here", true, false }, { "", false, false } };
	double size = week1_number(in, "model_info.total_size_mb") * MEGABYTE;
	double params = week1_number(in, "model_info.total_params");
	double latency = at_32(in, "latency_per_sample_ns", FULL "latency_per_sample", 1e9);
	double rate = at_32(in, "samples_per_s", FULL "throughput_samples_per_sec", 1);
	double memory = at_32(in, "peak_bytes", FULL "peak_gpu_mem", MIB);
	double accuracy = week1_number(in, FULL "accuracy");
	const struct expected list[] = {
		{ "model size", "1 to 2 GB", 1 * GB, 2 * GB, section_bytes(d, size), size, true,
			false },
		{ "parameters", "about 500 M", 450e6, 550e6, week1_fixed(&d->mem, params, 0, true),
			params, false, false },
		{ "latency of a sample, batch 32", "10 to 30 ms", 10e6, 30e6,
			section_time(d, latency), latency, true, false },
		{ "throughput, batch 32", "50 to 200/s", 50, 200,
			week1_fixed(&d->mem, rate, 1, true), rate, false, true },
		{ "GPU memory, batch 32", "2 to 6 GB", 2 * GB, 6 * GB, section_bytes(d, memory),
			memory, true, false },
		{ "accuracy", "about 0.92", 0.915, 0.925, week1_fixed(&d->mem, accuracy, 4, false),
			accuracy, false, true },
	};

	if (ALL(i, COUNT_OF(list), isnan(list[i].value)))
		return;
	page_heading(d, "What the guides expect");
	struct page_block *b = page_table(d, NULL, col, COUNT_OF(col));
	for (size_t i = 0; i < COUNT_OF(list); i++) {
		const char *word = judge(&list[i]);
		PAGE_ROW(d, b,
			isnan(list[i].value)                   ? TONE_UNKNOWN
				: *word == 'B' || *word == 'A' ? TONE_WARN
							       : TONE_GOOD,
			list[i].what, list[i].range, isnan(list[i].value) ? "-" : list[i].shown,
			word);
	}
	b->footnote = "of Qwen 2.5 0.5B on an A100; another model or GPU has other figures";
}

const struct section section_expected = {
	.id = "expected",
	.ask = { ask_info, ask_batch },
	.write = write_expected,
};
