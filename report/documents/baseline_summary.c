/* The report of week 1 (baseline_summary_report.txt).  What nobody says is "n/a".
 *
 * Source: the week 1 documents; units as there: ms, seconds, MB of 2^20 bytes. */
#include "report/documents/printed.h"
#include "report/documents/week1.h"

enum { RULE = 70 };

#define FULL "full_dataset_metrics."

/* Lines of numbers; one without a key is text alone, one that begins a part has its heading. */
static const struct {
	const char *heading, *title, *key;
	double scale;
	int decimals;
	bool commas;
	const char *unit;
} lines[] = {
	{ NULL, "Model Size", "model_info.total_size_mb", 1, 2, false, " MB\n" },
	{ "DATASET INFORMATION", "Total Samples", "dataset_info.num_samples", 1, 0, true, "" },
	{ NULL, "Number of Labels", "dataset_info.num_labels", 1, 0, false, "" },
	{ NULL, "Sample Size for Profiling", "dataset_info.sample_size_profiled", 1, 0, false,
		"\n" },
	{ "FULL DATASET PERFORMANCE", "Batch Size", FULL "batch_size", 1, 0, false, "" },
	{ NULL, "Accuracy", FULL "accuracy", 1, 4, false, "" },
	{ NULL, "F1-Score (Macro)", FULL "f1_macro", 1, 4, false, "" },
	{ NULL, "F1-Score (Weighted)", FULL "f1_weighted", 1, 4, false, "" },
	{ NULL, "\nLatency:\n  Total", FULL "latency_total", 1, 2, false, " seconds" },
	{ NULL, "  Per Sample", FULL "latency_per_sample", 1000, 2, false, " ms\n" },
	{ NULL, "Throughput", FULL "throughput_samples_per_sec", 1, 2, false, " samples/sec\n" },
	{ NULL, "Memory Usage:\n  CPU", FULL "cpu_mem_used", 1, 2, false, " MB" },
	{ NULL, "  GPU", FULL "gpu_mem_used", 1, 2, false, " MB" },
	{ NULL, "  Peak GPU", FULL "peak_gpu_mem", 1, 2, false, " MB\n" },
};

static void put_heading(struct printed *p, const char *title)
{
	str_addf(&p->b, "%s\n", title);
	printed_rule(p, '-', RULE);
}

void baseline_summary_put(struct printed *p)
{
	const char *type = printed_safe(p, week1_word(p->in, "model_info.model_type"));
	double params = week1_number(p->in, "model_info.total_params");

	printed_title(p, "WEEK 1: BASELINE PROFILING SUMMARY REPORT", RULE);
	str_adds(&p->b, "\n");
	put_heading(p, "MODEL INFORMATION");
	str_addf(&p->b, "Model: %s\nTotal Parameters: %s (%sM)\n", *type ? type : "n/a",
		week1_fixed(p->mem, params, 0, true), week1_fixed(p->mem, params / 1e6, 2, false));
	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		double v = week1_number(p->in, lines[i].key) * lines[i].scale;

		if (lines[i].heading)
			put_heading(p, lines[i].heading);
		str_addf(&p->b, "%s: %s%s\n", lines[i].title,
			week1_fixed(p->mem, v, lines[i].decimals, lines[i].commas), lines[i].unit);
	}
	batches_put_sizes(p);
	printed_rule(p, '=', RULE);
}

bool baseline_summary_has(const struct printed *p)
{
	return !isnan(week1_number(p->in, "model_info.total_params")) ||
		!isnan(week1_number(p->in, "dataset_info.num_samples"));
}
