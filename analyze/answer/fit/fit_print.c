/*
 * `fit` in the layout of the documents: what their script prints about a GPU and models, from its
 * own file, or the tables of fit_seed.c where there is none.
 *
 * Source: the documents' 40_profile_gpu.py; headings, widths and number formats are its own.
 */
#include <math.h>

#include "analyze/answer/fit/fit.h"
#include "analyze/analysis/printed.h"
#include "analyze/trace/columns/record.h"

enum { RULE = 60, MODELS = 70, CASES = 65 };
static const double GIB = 1073741824;

struct print {
	struct table *t;
	const struct record *r; /* of the script's own file, or NULL */
	double capacity;        /* GiB; NaN: the file says that there is no GPU */
};

static void put_title(const struct print *p, const char *title)
{
	printed_line(p->t, "%s", "");
	printed_title(p->t, title, RULE);
	printed_line(p->t, "%s", "");
}

static double number(const struct print *p, const char *key)
{
	return scalar_number(record_find(&p->r->scalars, key));
}

/* The memory in use when the script began: its one measurement. */
static void put_memory(const struct print *p)
{
	double used = number(p, "memory_profile.baseline_gb");

	if (isnan(used))
		used = number(p, "memory_profile.mean_allocated_gb");
	if (isnan(used))
		return;
	put_title(p, "GPU Memory Profiling");
	printed_line(p->t, "Baseline Memory:");
	printed_line(p->t, "  Allocated: %.2f GB", used);
	printed_line(p->t, "  Reserved:  %.2f GB", number(p, "memory_profile.peak_reserved_gb"));
	printed_line(p->t, "  Peak:      %.2f GB", number(p, "memory_profile.peak_allocated_gb"));
	if (isnan(p->capacity))
		return;
	printed_line(p->t, "%s", "");
	printed_line(p->t, "Total GPU Memory: %.2f GB", p->capacity);
	printed_line(p->t, "Available:        %.2f GB", p->capacity - used);
	printed_line(p->t, "Utilization:      %.1f%%", used / p->capacity * 100);
}

static void put_model(const struct print *p, struct span name, double inference, double training)
{
	struct str b = { 0 };

	printed_left(&b, name, 25);
	printed_line(p->t, "%s %6.1f GB          %8.1f GB", b.s, inference / GIB, training / GIB);
	str_free(&b);
}

static void put_case(const struct print *p, struct span name, double required, bool fits)
{
	struct str b = { 0 }, status = { 0 };

	printed_left(&b, name, 35);
	printed_left(&status, fits ? SPAN("✓ Fits") : SPAN("✗ Too large"), 15);
	printed_line(p->t, "%s %6.1f GB      %s", b.s, required / GIB, status.s);
	str_free(&b);
	str_free(&status);
}

/* The rows of the file that have that column: models, or checks. */
static size_t put_rows(const struct print *p, size_t with)
{
	size_t i, row, n = 0;

	for (i = 0; p->r && i < p->r->nsheet; i++) {
		const struct table *t = &p->r->sheet[i]->table;

		if (p->r->sheet[i]->kind != SHEET_MODELS)
			continue;
		for (row = 0; row < t->nrow; row++) {
			struct span name = table_text_at(t, row, MODELS_NAME);

			if (!table_cell(t, row, with))
				continue;
			n++;
			if (with == MODELS_INFERENCE_BYTES)
				put_model(p, name, table_number_at(t, row, MODELS_INFERENCE_BYTES),
					table_number_at(t, row, MODELS_TRAINING_BYTES));
			else
				put_case(p, name, table_number_at(t, row, MODELS_REQUIRED_BYTES),
					table_number_at(t, row, MODELS_FITS) > 0);
		}
	}
	return n;
}

static void put_models(const struct print *p)
{
	size_t i, n;
	const struct fit_seed_model *m = fit_seed_models(&n);

	put_title(p, "Model Memory Requirements");
	printed_line(
		p->t, "%-25s %-20s %-25s", "Model", "Inference (fp16)", "Training (fp16+Adam)");
	printed_rule(p->t, '-', MODELS);
	if (put_rows(p, MODELS_INFERENCE_BYTES) > 0)
		return;
	for (i = 0; i < n; i++)
		put_model(p, span_of(m[i].name), 2 * (double)m[i].params, 12 * (double)m[i].params);
}

static void put_cases(const struct print *p)
{
	size_t i, n;
	const struct fit_seed_case *c = fit_seed_cases(&n);

	put_title(p, "Model Compatibility Check");
	if (isnan(p->capacity)) {
		printed_line(p->t, "⚠ GPU not available for compatibility check");
		return;
	}
	printed_line(p->t, "Available GPU Memory: %.2f GB", p->capacity);
	printed_line(p->t, "%s", "");
	printed_line(p->t, "%-35s %-15s %-15s", "Model", "Required", "Status");
	printed_rule(p->t, '-', CASES);
	if (put_rows(p, MODELS_REQUIRED_BYTES) > 0)
		return;
	for (i = 0; i < n; i++)
		put_case(p, span_of(c[i].name), (double)c[i].required * GIB,
			(double)c[i].required <= p->capacity);
}

void fit_print(const struct record *r, int64_t capacity, struct result *out)
{
	const struct scalar *there = r ? record_find(&r->env, "gpu_info.available") : NULL;
	bool is_its_own = r && record_find_artifact(r, "gpu_profile") >= 0;
	struct print p = { printed_table(out, -1, is_its_own ? "seed_models" : "seed"), r,
		(double)capacity / GIB };

	if (!capacity)
		p.capacity = there && there->number == 0 ? NAN : 16;
	if (r)
		put_memory(&p);
	put_models(&p);
	p.t = printed_table(out, -1, is_its_own ? "seed_fits" : "seed");
	put_cases(&p);
}
