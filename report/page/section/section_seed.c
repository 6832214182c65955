/*
 * The week-1 report in the documents' own layout, line for line (baseline_summary_report.txt); what
 * nobody says is "n/a".  Units as there: ms, seconds, MB of 2^20 bytes.
 */
#include <math.h>

#include "report/escape.h"
#include "report/page/section/section_week1.h"

enum { RULE = 70 };

static const double MIB = 1048576;

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

static void put_pair(
	struct str *b, struct page *d, const char *title, double v, double std, const char *unit)
{
	str_addf(b, "  %s: %s \xc2\xb1 %s %s\n", title, week1_fixed(d, v, 2, false),
		week1_fixed(d, std, 2, false), unit);
}

static void put_size(struct str *b, struct page *d, const struct table *t, size_t i)
{
	str_addf(b, "\nBatch Size %s:\n",
		week1_fixed(d, table_number(t, i, "batch_size"), 0, false));
	put_pair(b, d, "Latency/sample", table_number(t, i, "latency_per_sample_ns") / 1e6,
		table_number(t, i, "latency_std_ns") / 1e6, "ms");
	put_pair(b, d, "Throughput", table_number(t, i, "samples_per_s_written"),
		table_number(t, i, "samples_per_s_written_std"), "samples/sec");
	if (page_has(t, i, "used_bytes"))
		put_pair(b, d, "GPU Memory", table_number(t, i, "used_bytes") / MIB,
			table_number(t, i, "used_std_bytes") / MIB, "MB");
}

static void put_sizes(struct str *b, const struct answers *in, struct page *d)
{
	const struct table *t = week1_sizes(in), *a = week1_answer(in);
	size_t i;

	put_heading(b, "BATCH SIZE ANALYSIS");
	str_adds(b, "Tested Batch Sizes: [");
	for (i = 0; i < table_rows(t); i++)
		str_addf(b, "%s%s", i ? ", " : "",
			week1_fixed(d, table_number(t, i, "batch_size"), 0, false));
	str_addf(b, "]\nOptimal Batch Size (highest throughput): %s\n",
		week1_fixed(d, a ? table_number(a, 0, "best_batch") : NAN, 0, false));
	for (i = 0; i < table_rows(t); i++)
		put_size(b, d, t, i);
	str_addc(b, '\n');
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
	put_sizes(&b, in, d);
	put_rule(&b, '=');
	page_lines(d, arena_copy(&d->mem, b.s, b.n));
	str_free(&b);
}
