/* Sections that answer the questions of the week-1 documents: success questions, targets, and what
 * is missing to answer the rest.
 *
 * Source of questions and targets: the week 1 documents, Success Criteria; 80% GPU utilisation:
 * the training profiling guide. */
#include "base/name/name.h"
#include "report/documents/week1.h"

static const double TARGET_BUSY = 0.80, MIB = 1048576;
static const char nobody[] = "not known";

enum { TOP = 3, NAME_LETTERS = 48 };

#define FULL "full_dataset_metrics."

struct questions {
	const struct answers *in;
	struct page *d;
	struct page_block *b;
};

static void answer(struct questions *q, const char *question, const char *text, const char *from)
{
	bool is_known = text && *text;

	PAGE_ROW(q->d, q->b, is_known ? TONE_GOOD : TONE_UNKNOWN, question,
		is_known ? page_printf(q->d, "%s (%s)", text, from)
			 : page_printf(q->d, "not known: %s", from));
}

static void ask_latency(struct questions *q)
{
	const struct table *sizes = week1_sizes(q->in), *a = week1_answer(q->in);
	size_t row;

	if (sizes && a && week1_size(sizes, table_number(a, 0, "sweet_spot"), &row))
		answer(q, "baseline latency per sample",
			page_printf(q->d, "%s at batch size %s",
				page_value(q->d, sizes, row, "latency_per_sample_ns"),
				page_value(q->d, sizes, row, "batch_size")),
			"sweep, sweet spot");
	else if (!isnan(week1_number(q->in, FULL "latency_per_sample")))
		answer(q, "baseline latency per sample",
			section_time(q->d, week1_number(q->in, FULL "latency_per_sample") * 1e9),
			"full run");
	else
		answer(q, "baseline latency per sample", NULL, "needs a sweep over batch sizes");
}

static void ask_throughput(struct questions *q)
{
	const struct table *sizes = week1_sizes(q->in), *a = week1_answer(q->in);
	double rate = week1_number(q->in, FULL "throughput_samples_per_sec");
	double batch = week1_number(q->in, FULL "batch_size");
	size_t row;

	if (sizes && a && week1_size(sizes, table_number(a, 0, "best_batch"), &row)) {
		answer(q, "maximum throughput",
			page_printf(q->d, "%s samples/s at batch size %s",
				page_value(q->d, sizes, row, "samples_per_s"),
				page_value(q->d, sizes, row, "batch_size")),
			"sweep, highest");
		answer(q, "optimal batch size",
			page_printf(q->d, "%s (highest throughput: %s)",
				page_value(q->d, a, 0, "sweet_spot"),
				page_value(q->d, a, 0, "best_batch")),
			"sweep");
		return;
	}
	answer(q, "maximum throughput",
		isnan(rate) ? NULL
			    : page_printf(q->d, "at least %s samples/s",
				      week1_fixed(&q->d->mem, rate, 2, true)),
		isnan(rate) ? "needs a sweep over batch sizes" : "full run, one batch size");
	answer(q, "optimal batch size",
		isnan(batch) ? NULL
			     : page_printf(q->d, "%s is the only one measured",
				       week1_fixed(&q->d->mem, batch, 0, false)),
		isnan(batch) ? "needs a sweep over batch sizes" : "full run");
}

/* The device with the most reserved; the CPU is none.  False: no device has any. */
static bool largest_peak(const struct table *peaks, size_t *row)
{
	static const char key[] = "peak_reserved_bytes";
	bool any = false;

	for (size_t i = 0; i < table_rows(peaks); i++) {
		if (!(table_number(peaks, i, "device_type") > 0) || !page_has(peaks, i, key))
			continue;
		if (!any || table_number(peaks, i, key) > table_number(peaks, *row, key))
			*row = i;
		any = true;
	}
	return any;
}

/* Memory where no sweep has peaks: of the trace, the full run, nvidia-smi. */
static void ask_memory_elsewhere(struct questions *q)
{
	static const char question[] = "GPU memory needed";
	const struct table *peaks = answers_rows(q->in, ask_memory, "peaks");
	const struct table *gpus = answers_rows(q->in, ask_smi, "gpus");
	double full = week1_number(q->in, FULL "peak_gpu_mem");
	size_t row;

	if (largest_peak(peaks, &row))
		answer(q, question, page_value(q->d, peaks, row, "peak_reserved_bytes"),
			"trace, peak reserved");
	else if (!isnan(full))
		answer(q, question, section_bytes(q->d, full * MIB), "full run, peak");
	else if (gpus && page_has(gpus, 0, "peak_used_bytes"))
		answer(q, question, page_value(q->d, gpus, 0, "peak_used_bytes"),
			"nvidia-smi, peak, of all programs");
	else
		answer(q, question, NULL, "needs peaks of the sweep, or profile_memory=True");
}

const char *week1_bottlenecks(const struct answers *in, struct page *d)
{
	const struct table *t = answers_rows(in, ask_summary, "bottlenecks");
	SCOPED_STR b = { 0 };

	str_adds(&b, "");
	for (size_t i = 0; i < table_rows(t) && i < TOP; i++) {
		str_addf(&b, "%s%zu. ", i ? "; " : "", i + 1);
		name_shorten(&b, table_word(t, i, "what"), NAME_LETTERS, true);
		str_addf(&b, ", %s of the steps, %s", page_value(d, t, i, "share_ratio"),
			section_word(d, t, i, "bound"));
	}
	return arena_copy(&d->mem, b.s, b.n);
}

static void ask_bottlenecks(struct questions *q)
{
	static const char needs[] = "needs a trace, a table of operations or a sampled profile";
	const struct table *over = answers_rows(q->in, ask_summary, "overview");
	const char *text = week1_bottlenecks(q->in, q->d), *from = "trace";
	double passes;

	if (!*text)
		text = week1_heaviest(q->in, q->d, TOP, &from);
	answer(q, "top 3 computational bottlenecks", text, text ? from : needs);
	text = over ? section_word(q->d, over, 0, "bound_text") : week1_bound(q->in, q->d, &passes);
	if (over)
		from = "trace";
	else
		from = text ? "table of operations"
			    : "needs a trace, or a table of operations with GPU time";
	answer(q, "primary bottleneck", text, from);
}

static void write_questions(const struct answers *in, struct page *d)
{
	static const struct page_column col[] = { { "question", false, false },
		{ "answer", false, true } };
	const char *from;
	double accuracy = week1_number(in, FULL "accuracy"), busy = week1_busy(in, &from);
	struct questions q = { .in = in, .d = d };

	page_heading(d, "Success questions");
	q.b = page_table(d, NULL, col, COUNT_OF(col));
	q.b->is_prose = true;
	ask_latency(&q);
	ask_throughput(&q);
	const struct table *sizes = week1_sizes(q.in), *a = week1_answer(q.in);
	size_t row;
	if (sizes && a && week1_size(sizes, table_number(a, 0, "sweet_spot"), &row) &&
		page_has(sizes, row, "peak_bytes"))
		answer(&q, "GPU memory needed",
			page_printf(q.d, "%s at batch size %s",
				page_value(q.d, sizes, row, "peak_bytes"),
				page_value(q.d, sizes, row, "batch_size")),
			"sweep, peak");
	else
		ask_memory_elsewhere(&q);
	ask_bottlenecks(&q);
	answer(&q, "accuracy", isnan(accuracy) ? NULL : week1_fixed(&d->mem, accuracy, 4, false),
		isnan(accuracy) ? "needs full_dataset_metrics" : "full run");
	answer(&q, "GPU utilisation", isnan(busy) ? NULL : section_percent(d, busy),
		isnan(busy) ? "needs a trace with GPU work, or samples of nvidia-smi" : from);
}

const struct section section_questions = {
	.id = "questions",
	.ask = { ask_info, ask_batch, ask_summary, ask_memory, ask_top, ask_smi },
	.write = write_questions,
};

static void put_target(struct page *d, struct page_block *b, const char *name, const char *wanted,
	const char *measured, double is_met)
{
	PAGE_ROW(d, b,
		isnan(is_met)        ? TONE_UNKNOWN
			: is_met > 0 ? TONE_GOOD
				     : TONE_BAD,
		name, wanted, measured,
		isnan(is_met)        ? nobody
			: is_met > 0 ? "met"
				     : "NOT MET");
}

static double met(const struct table *t, size_t row)
{
	struct span s = table_word(t, row, "met");

	if (!s.n)
		return NAN;
	return span_is(s, "met") ? 1 : 0;
}

static void write_targets(const struct answers *in, struct page *d)
{
	static const struct page_column col[] = { { "target", false, false },
		{ "wanted", true, false }, { "measured", true, false }, { "", false, false } };
	const struct table *t = answers_rows(in, ask_batch, "targets");
	const char *from;
	double busy = week1_busy(in, &from);

	page_heading(d, "Targets");
	struct page_block *b = page_table(d, NULL, col, COUNT_OF(col));
	for (size_t i = 0; i < table_rows(t); i++)
		put_target(d, b, section_word(d, t, i, "target"), section_word(d, t, i, "wanted"),
			section_word(d, t, i, "measured"), met(t, i));
	put_target(d, b, "GPU utilisation", "> 80%", section_percent(d, busy),
		isnan(busy) ? NAN : busy > TARGET_BUSY);
	if (!t)
		b->footnote = "latency and throughput need a sweep over batch sizes";
}

const struct section section_targets = {
	.id = "targets",
	.ask = { ask_batch, ask_summary, ask_smi },
	.write = write_targets,
};

/* What the documents' checklists ask for and nothing here says. */
static void write_open(const struct answers *in, struct page *d)
{
	static const struct {
		const char *key, *what, *need;
	} wanted[] = {
		{ "model_info.total_params", "model characteristics",
			"model_info of baseline_metrics.json" },
		{ "dataset_info.num_samples", "the dataset",
			"dataset_info of baseline_metrics.json" },
		{ FULL "accuracy", "accuracy and performance on the whole dataset",
			"full_dataset_metrics of baseline_metrics.json" },
	};
	bool has_trace = answers_rows(in, ask_info, "trace") != NULL;
	size_t before = d->n;

	page_heading(d, "Missing");
	for (size_t i = 0; i < COUNT_OF(wanted); i++)
		if (!*week1_text(in, d, wanted[i].key))
			page_item(d, TONE_UNKNOWN, "%s: needs %s", wanted[i].what, wanted[i].need);
	if (!week1_sizes(in))
		page_item(d, TONE_UNKNOWN,
			"batch sizes, latency and throughput: needs detailed_metrics.csv, or "
			"batch_size_profiling of baseline_metrics.json");
	if (!has_trace)
		page_item(d, TONE_UNKNOWN,
			"waiting, time of steps, opportunities by kernels: needs a trace "
			"(profiler_traces/trace.json)");
	if (d->n == before + 1)
		d->n = before;
}

const struct section section_open = {
	.id = "open",
	.ask = { ask_info, ask_batch },
	.write = write_open,
};
