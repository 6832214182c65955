/*
 * The report of week 1 (baseline_summary_report.txt).  What nobody says is "n/a".
 *
 * Source: the week 1 documents; units as there: ms, seconds, MB of 2^20 bytes.
 */
#include <math.h>

#include "base/arena.h"
#include "report/documents/printed.h"
#include "report/documents/week1.h"

enum { RULE = 70 };

#define FULL "full_dataset_metrics."

static void put_heading(const struct printed *p, const char *title)
{
	printed_line(p, "%s", title);
	printed_rule(p, '-', RULE);
}

/* "Title: value" of a value of that key, times `scale`, with that many decimals. */
static void put(const struct printed *p, const char *title, const char *key, double scale,
	int decimals, const char *unit)
{
	printed_line(p, "%s: %s%s", title,
		printed_fixed(p, week1_number(p->in, key) * scale, decimals, false), unit);
}

static void put_model(const struct printed *p)
{
	struct span type = week1_word(p->in, "model_info.model_type");
	double params = week1_number(p->in, "model_info.total_params");

	put_heading(p, "MODEL INFORMATION");
	printed_line(p, "Model: %.*s", type.n ? (int)type.n : 3, type.n ? type.p : "n/a");
	printed_line(p, "Total Parameters: %s (%sM)", printed_fixed(p, params, 0, true),
		printed_fixed(p, params / 1e6, 2, false));
	put(p, "Model Size", "model_info.total_size_mb", 1, 2, " MB");
	printed_blank(p);
}

static void put_data(const struct printed *p)
{
	put_heading(p, "DATASET INFORMATION");
	printed_line(p, "Total Samples: %s",
		printed_fixed(p, week1_number(p->in, "dataset_info.num_samples"), 0, true));
	put(p, "Number of Labels", "dataset_info.num_labels", 1, 0, "");
	put(p, "Sample Size for Profiling", "dataset_info.sample_size_profiled", 1, 0, "");
	printed_blank(p);
}

static void put_full(const struct printed *p)
{
	put_heading(p, "FULL DATASET PERFORMANCE");
	put(p, "Batch Size", FULL "batch_size", 1, 0, "");
	put(p, "Accuracy", FULL "accuracy", 1, 4, "");
	put(p, "F1-Score (Macro)", FULL "f1_macro", 1, 4, "");
	put(p, "F1-Score (Weighted)", FULL "f1_weighted", 1, 4, "");
	printed_blank(p);
	printed_line(p, "Latency:");
	put(p, "  Total", FULL "latency_total", 1, 2, " seconds");
	put(p, "  Per Sample", FULL "latency_per_sample", 1000, 2, " ms");
	printed_blank(p);
	put(p, "Throughput", FULL "throughput_samples_per_sec", 1, 2, " samples/sec");
	printed_blank(p);
	printed_line(p, "Memory Usage:");
	put(p, "  CPU", FULL "cpu_mem_used", 1, 2, " MB");
	put(p, "  GPU", FULL "gpu_mem_used", 1, 2, " MB");
	put(p, "  Peak GPU", FULL "peak_gpu_mem", 1, 2, " MB");
	printed_blank(p);
}

void baseline_summary_put(struct printed *p)
{
	const struct table *sizes;
	size_t i;

	printed_begin(p);
	printed_title(p, "WEEK 1: BASELINE PROFILING SUMMARY REPORT", RULE);
	printed_blank(p);
	put_model(p);
	put_data(p);
	put_full(p);
	for (i = 0; (sizes = answers_table(p->in, "batch", "sizes", i)); i++)
		if (batches_put_sizes(p, sizes))
			break;
	printed_rule(p, '=', RULE);
}

bool baseline_summary_has(const struct answers *in)
{
	return !isnan(week1_number(in, "model_info.total_params")) ||
		!isnan(week1_number(in, "dataset_info.num_samples"));
}
