/* The script 40_profile_gpu.py about a GPU and what fits on it: from its own file, or its tables of
 * models where there is none.
 *
 * Source: the documents' 40_profile_gpu.py. */
#include "report/documents/printed.h"

enum { RULE = 60, MODELS = 70, CHECKS = 65, NAME = 25, CHECK_NAME = 35, STATUS = 15 };
static const double GIB = 0x1p30, ASSUMED_GIB = 16;

static const char ask_fit[] = "fit --seed-compat";

static void put_title(struct printed *p, const char *title)
{
	str_adds(&p->b, "\n");
	printed_title(p, title, RULE);
	str_adds(&p->b, "\n");
}

/* Of the GPU, GiB; NaN: the file says that there is none. */
static double capacity_of(const struct printed *p)
{
	double bytes = table_number(
		answers_table(p->in, ask_fit, "seed_compatibility", 0), 0, "capacity_bytes");

	if (!isnan(bytes))
		return bytes / GIB;
	return strcmp(printed_text(p, "gpu_info.available"), "false") == 0 ? NAN : ASSUMED_GIB;
}

/* The memory in use when the script began: its one measurement. */
static void put_memory(struct printed *p)
{
	double used = printed_number(p, "memory_profile.baseline_gb");
	double capacity = capacity_of(p);

	if (isnan(used))
		used = printed_number(p, "memory_profile.mean_allocated_gb");
	if (isnan(used))
		return;
	put_title(p, "GPU Memory Profiling");
	str_addf(&p->b,
		"Baseline Memory:\n  Allocated: %.2f GB\n  Reserved:  %.2f GB\n"
		"  Peak:      %.2f GB\n",
		used, printed_number(p, "memory_profile.peak_reserved_gb"),
		printed_number(p, "memory_profile.peak_allocated_gb"));
	if (!isnan(capacity))
		str_addf(&p->b,
			"\nTotal GPU Memory: %.2f GB\nAvailable:        %.2f GB\n"
			"Utilization:      %.1f%%\n",
			capacity, capacity - used, used / capacity * 100);
}

static void put_model(struct printed *p, const struct table *t, size_t row)
{
	str_addf(&p->b, "%s %6.1f GB          %8.1f GB\n",
		printed_left(p, printed_word(p, t, row, "model"), 0, NAME),
		table_number(t, row, "inference_bytes") / GIB,
		table_number(t, row, "training_bytes") / GIB);
}

/* In the file's own words whether it fits; else by the literal number of the script. */
static void put_check(struct printed *p, const struct table *t, size_t row)
{
	double required = table_number(t, row, "required_bytes") / GIB;
	double fits = table_number(t, row, "fits");
	bool is_fit = isnan(fits) ? required <= capacity_of(p) : fits > 0;

	str_addf(&p->b, "%s %6.1f GB      %s\n",
		printed_left(p, printed_word(p, t, row, "model"), 0, CHECK_NAME), required,
		printed_left(p, is_fit ? "✓ Fits" : "✗ Too large", 0, STATUS));
}

/* Rows of the file that have that column: models, or checks; else those of the script. */
static void put_rows(struct printed *p, const char *with, const char *of_script,
	void (*put)(struct printed *p, const struct table *t, size_t row))
{
	const struct table *t;
	size_t n = 0;

	for (size_t i = 0; (t = answers_table(p->in, "info", "sheet_models", i)); i++)
		for (size_t row = 0; t->input == p->input && row < table_rows(t); row++)
			if (!isnan(table_number(t, row, with))) {
				put(p, t, row);
				n++;
			}
	t = n ? NULL : answers_table(p->in, ask_fit, of_script, 0);
	for (size_t row = 0; row < table_rows(t); row++)
		put(p, t, row);
}

static void put_models(struct printed *p)
{
	put_memory(p);
	put_title(p, "Model Memory Requirements");
	str_addf(&p->b, "%-25s %-20s %-25s\n", "Model", "Inference (fp16)", "Training (fp16+Adam)");
	printed_rule(p, '-', MODELS);
	put_rows(p, "inference_bytes", "seed_models", put_model);
}

static void put_checks(struct printed *p)
{
	double capacity = capacity_of(p);

	put_title(p, "Model Compatibility Check");
	if (isnan(capacity)) {
		str_adds(&p->b, "⚠ GPU not available for compatibility check\n");
		return;
	}
	str_addf(&p->b, "Available GPU Memory: %.2f GB\n\n%-35s %-15s %-15s\n", capacity, "Model",
		"Required", "Status");
	printed_rule(p, '-', CHECKS);
	put_rows(p, "required_bytes", "seed_compatibility", put_check);
}

/* Of its own file; `fit` answers for one run alone. */
static bool is_its_own(const struct printed *p)
{
	size_t row;

	return printed_artifact(p, "gpu_profile", &row) && answers_find(p->in, ask_fit)->result;
}

void gpu_put_models(struct printed *p)
{
	if (is_its_own(p))
		put_models(p);
}

void gpu_put_checks(struct printed *p)
{
	if (is_its_own(p))
		put_checks(p);
}

static enum status put_fit(struct printed *p)
{
	printed_about(p, 0);
	put_models(p);
	put_checks(p);
	return OK;
}

const struct document document_fit = {
	.answer = "fit",
	.ask = ask_fit,
	.beside = "info",
	.call = "traceq fit [gpu_profile.json] --format seed",
	.about = "the script 40_profile_gpu.py about a GPU and models: from its own file, else its "
		 "tables, for the GPU of --gpu (16 GB). 'traceq fit --seed-compat' sets what "
		 "traceq says beside them",
	.put = put_fit,
};
