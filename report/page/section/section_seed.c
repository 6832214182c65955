/*
 * Reports in the documents' own layouts, line for line: pages that the analyses lay out, one below
 * the other, and the report of week 1 (baseline_summary_report.txt) around its part about batch
 * sizes.  What nobody says is "n/a".  Units as there: ms, seconds, MB of 2^20 bytes.
 */
#include <math.h>

#include "report/escape.h"
#include "report/page/section/section_week1.h"

enum { RULE = 70 };

#define FULL "full_dataset_metrics."

static void put_rule(struct str *b, char c)
{
	int i;

	for (i = 0; i < RULE; i++)
		str_addc(b, c);
	str_addc(b, '\n');
}

static void put_heading(struct str *b, const char *title)
{
	str_addf(b, "%s\n", title);
	put_rule(b, '-');
}

/* "Title: value" of a number with that many decimals. */
static void put_number(
	struct str *b, struct page *d, const char *title, double v, int decimals, const char *unit)
{
	str_addf(b, "%s: %s%s\n", title, week1_fixed(d, v, decimals, false), unit);
}

static void put_model(struct str *b, const struct answers *in, struct page *d)
{
	const char *type = week1_text(in, d, "model_info.model_type");
	double params = week1_number(in, "model_info.total_params");
	double size = week1_number(in, "model_info.total_size_mb");

	put_heading(b, "MODEL INFORMATION");
	str_adds(b, "Model: ");
	escape_terminal(b, span_of(*type ? type : "n/a"), true);
	str_addf(b, "\nTotal Parameters: %s (%sM)\n", week1_fixed(d, params, 0, true),
		week1_fixed(d, params / 1e6, 2, false));
	put_number(b, d, "Model Size", size, 2, " MB");
	str_addc(b, '\n');
}

static void put_data(struct str *b, const struct answers *in, struct page *d)
{
	put_heading(b, "DATASET INFORMATION");
	str_addf(b, "Total Samples: %s\n",
		week1_fixed(d, week1_number(in, "dataset_info.num_samples"), 0, true));
	put_number(b, d, "Number of Labels", week1_number(in, "dataset_info.num_labels"), 0, "");
	put_number(b, d, "Sample Size for Profiling",
		week1_number(in, "dataset_info.sample_size_profiled"), 0, "");
	str_addc(b, '\n');
}

static void put_full(struct str *b, const struct answers *in, struct page *d)
{
	put_heading(b, "FULL DATASET PERFORMANCE");
	put_number(b, d, "Batch Size", week1_number(in, FULL "batch_size"), 0, "");
	put_number(b, d, "Accuracy", week1_number(in, FULL "accuracy"), 4, "");
	put_number(b, d, "F1-Score (Macro)", week1_number(in, FULL "f1_macro"), 4, "");
	put_number(b, d, "F1-Score (Weighted)", week1_number(in, FULL "f1_weighted"), 4, "");
	str_adds(b, "\nLatency:\n");
	put_number(b, d, "  Total", week1_number(in, FULL "latency_total"), 2, " seconds");
	put_number(
		b, d, "  Per Sample", week1_number(in, FULL "latency_per_sample") * 1000, 2, " ms");
	str_addc(b, '\n');
	put_number(b, d, "Throughput", week1_number(in, FULL "throughput_samples_per_sec"), 2,
		" samples/sec");
	str_adds(b, "\nMemory Usage:\n");
	put_number(b, d, "  CPU", week1_number(in, FULL "cpu_mem_used"), 2, " MB");
	put_number(b, d, "  GPU", week1_number(in, FULL "gpu_mem_used"), 2, " MB");
	put_number(b, d, "  Peak GPU", week1_number(in, FULL "peak_gpu_mem"), 2, " MB");
	str_addc(b, '\n');
}

static void put_lines(struct str *b, const struct table *t)
{
	size_t i;

	for (i = 0; i < table_rows(t); i++) {
		escape_terminal(b, table_word(t, i, "line"), true);
		str_addc(b, '\n');
	}
}

void week1_seed(const struct answers *in, struct page *d)
{
	struct str b = { 0 };

	put_rule(&b, '=');
	str_adds(&b, "WEEK 1: BASELINE PROFILING SUMMARY REPORT\n");
	put_rule(&b, '=');
	str_addc(&b, '\n');
	put_model(&b, in, d);
	put_data(&b, in, d);
	put_full(&b, in, d);
	put_lines(&b, answers_rows(in, ask_batch, "seed_sizes"));
	put_rule(&b, '=');
	page_lines(d, arena_copy(&d->mem, b.s, b.n));
	str_free(&b);
}

/* ---- of a run ---- */

const char ask_fit[] = "fit";

/* In the order of the scripts. */
static const struct {
	const char *ask, *page;
} pages[] = {
	{ ask_fit, "seed_models" },
	{ ask_batch, "seed_throughput" },
	{ ask_fit, "seed_fits" },
	{ ask_diagnose, "seed_canary" },
	{ ask_metrics, "seed_summary" },
};

static bool is_week1(const struct answers *in)
{
	return !isnan(week1_number(in, "model_info.total_params")) ||
		!isnan(week1_number(in, "dataset_info.num_samples"));
}

/* A page of several begins with a blank line, which some of them have themselves. */
static void put_page(struct str *b, const struct table *t)
{
	bool is_set_apart = table_word(t, 0, "line").n == 0;

	if (b->n > 0 && !is_set_apart)
		str_addc(b, '\n');
	put_lines(b, t);
}

void run_seed(const struct answers *in, struct page *d)
{
	const struct table *t;
	struct str b = { 0 };
	size_t i, k;

	for (i = 0; i < COUNT_OF(pages); i++)
		for (k = 0; (t = answers_table(in, pages[i].ask, pages[i].page, k)); k++)
			put_page(&b, t);
	if (b.n)
		page_lines(d, arena_copy(&d->mem, b.s, b.n));
	str_free(&b);
	if (is_week1(in))
		week1_seed(in, d);
}
