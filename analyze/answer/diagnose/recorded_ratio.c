/* The documents' quick diagnosis of a profiler's summary: CPU over CUDA time (Q01), copies (Q02);
 * the rules are in rule_seed.c. */
#include "analyze/answer/diagnose/rules.h"
#include "analyze/trace/run.h"

#define NO_TIMES "No %s kernel times recorded"

static double sum_of(const struct table *t, size_t col)
{
	double sum = 0, v;

	for (size_t i = 0; i < t->nrow; i++) {
		v = table_number_at(t, i, col);
		sum += isnan(v) ? 0 : v;
	}
	return sum;
}

/* The table has a column of device times. */
static bool has_device_times(const struct table *t)
{
	return ANY(i, t->nrow, table_cell(t, i, OPS_DEVICE) || table_cell(t, i, OPS_SELF_DEVICE));
}

/* Sums of CPU and CUDA time in ms: the summary's own, else over the rows of a table. */
static bool times(const struct look *k, double *cpu, double *cuda, int *artifact)
{
	const struct sheet *ops = recorded_sheet(k, SHEET_OPS, 0);
	const struct scalar *a = recorded_find(k, "cpu_time_total_ms");

	*cpu = scalar_number(a);
	*cuda = recorded_number(k, "profiler.cuda_time_total_ms");
	if (isnan(*cuda))
		*cuda = recorded_number(k, "cuda_time_total_ms");
	*artifact = a ? a->artifact : -1;
	if (!isnan(*cpu) && !isnan(*cuda))
		return true;
	if (!ops || !has_device_times(&ops->table))
		return false;
	*cpu = sum_of(&ops->table, OPS_CPU) / 1e6;
	*cuda = sum_of(&ops->table, OPS_DEVICE) / 1e6;
	*artifact = ops->artifact;
	return *cpu > 0 || *cuda > 0;
}

/* Why a summary has no CUDA times: the trace knows; without it there are two reasons. */
static const char *why_no_times(const struct look *k)
{
	const struct profile *x = k->profile;

	if (!x)
		return "This can happen when CUPTI profiling is unavailable (common on some cloud "
		       "GPUs), and when torch has renamed the attribute that the summary reads "
		       "(cuda_time_total to device_time_total): the trace would tell which";
	if (x->has_device)
		return arena_printf(k->mem,
			"the trace beside it has %s of GPU work: the attribute that the "
			"summary reads was renamed in torch; CUPTI was there",
			unit_time(k->mem, (double)rules_device_ns(x)));
	if (x->has_runtime)
		return "This can happen when CUPTI profiling is unavailable (common on some "
		       "cloud GPUs): the trace has no GPU work either, but CPU-side CUDA calls "
		       "were still captured";
	return "the trace has neither GPU work nor CUDA calls: the run was on the CPU, or "
	       "activities lacked CUDA";
}

/* What a table says when nothing counts twice, beside the documents' formula; "": no whole table.
 */
static const char *once(const struct look *k, int from)
{
	const struct sheet *s = recorded_sheet(k, SHEET_OPS, 0);

	if (!s || s->artifact != from || recorded_find(k, "cpu_time_total_ms"))
		return "";
	double cpu = ops_sum(&s->table, OPS_SELF_CPU, NULL).sum;
	double cuda = ops_sum(&s->table, OPS_SELF_DEVICE, NULL).sum;
	if (!(cpu > 0) || !(cuda > 0))
		return "";
	return arena_printf(k->mem, "; on self times, which count once: CPU %s, %s %s, %.2f",
		unit_time(k->mem, cpu), recorded_device(k, from), unit_time(k->mem, cuda),
		cpu / cuda);
}

void recorded_ratio(struct look *k)
{
	struct finding *f;
	double cpu, cuda;
	int from;

	if (!times(k, &cpu, &cuda, &from) || !(cpu > 0))
		return;
	if (!(cuda > 0)) {
		f = look_found(k, SEVERITY_UNKNOWN, from, NO_TIMES " (CPU time: %s)",
			recorded_device(k, from), unit_time(k->mem, cpu * 1e6));
		f->action = why_no_times(k);
		return;
	}
	double ratio = cpu / cuda;
	const char *device = recorded_device(k, from);
	const char *cpu_word = unit_time(k->mem, cpu * 1e6);
	const char *cuda_word = unit_time(k->mem, cuda * 1e6);
	if (ratio > look_limit(k, "Q01.high")) {
		f = look_found(k, SEVERITY_NOTE, from, "CPU time, %s, is far above %s time, %s",
			cpu_word, device, cuda_word);
		f->action = "This suggests a CPU bottleneck (dataloader, tokenization, or Python "
			    "overhead)";
	} else if (ratio < look_limit(k, "Q01.low")) {
		f = look_found(k, SEVERITY_OK, from, "%s time, %s, is far above CPU time, %s",
			device, cuda_word, cpu_word);
		f->action = "GPU is well-utilized, training is compute-bound (optimal)";
	} else {
		f = look_found(k, SEVERITY_OK, from,
			"CPU time, %s, and %s time, %s, are comparable", cpu_word, device,
			cuda_word);
		f->action = "Mixed workload - both CPU and GPU contribute significantly";
	}
	f->value = ratio;
	f->text = arena_printf(k->mem, "%s%s", f->text, once(k, from));
}

/* Only rows of top_cuda_ops where the sheet has lists, as the documents take them. */
static size_t sum_copies(const struct sheet *ops, double *copies, double *all)
{
	size_t n = 0;

	*copies = *all = 0;
	for (size_t i = 0; ops && i < ops->table.nrow; i++) {
		double v = table_number_at(&ops->table, i, OPS_SELF_DEVICE);

		if (span_is(table_text_at(&ops->table, i, OPS_LIST), "top_cpu_ops"))
			continue;
		n += span_is(table_text_at(&ops->table, i, OPS_LIST), "top_cuda_ops");
		if (!(v > 0))
			continue;
		*all += v;
		if (span_has_nocase(table_text_at(&ops->table, i, OPS_NAME), "copy"))
			*copies += v;
	}
	return n;
}

/* The share by class of all device work, which the trace beside it knows; without, of a table that
 * counts once, where the same time stands twice in it. */
static const char *by_class(const struct look *k, const struct table *t)
{
	const struct profile *x = k->profile;
	struct ops_sum of = ops_sum(t, OPS_SELF_DEVICE, NULL);
	double copies = 0;

	for (size_t i = 0; i < t->nrow; i++)
		if (ops_counts(&of, i) &&
			span_has_in_nocase(table_text_at(t, i, OPS_NAME), "copy|memcpy"))
			copies += fmax(table_number_at(t, i, OPS_SELF_DEVICE), 0);
	if (!x || !x->has_device || rules_device_ns(x) <= 0)
		return of.is_twice
			? arena_printf(k->mem, "; %s with operations and kernels counted once",
				  unit_percent(k->mem, copies / of.sum))
			: "";
	return arena_printf(k->mem, "; by class in the trace %s",
		unit_percent(
			k->mem, (double)x->device.sum[CLASS_MEMCPY] / (double)rules_device_ns(x)));
}

void recorded_copies(struct look *k)
{
	const struct sheet *ops = recorded_sheet(k, SHEET_OPS, 0);
	struct finding *f;
	double copies, all;
	size_t listed = sum_copies(ops, &copies, &all);

	if (!(all > 0)) {
		if (listed > 0) {
			f = look_found(k, SEVERITY_UNKNOWN, ops->artifact, NO_TIMES,
				recorded_device(k, ops->artifact));
			f->action = "Q01 says why";
		}
		return;
	}
	if (copies / all > look_limit(k, "Q02.high")) {
		f = look_found(k, SEVERITY_NOTE, ops->artifact,
			"memory copies are %.0f%% of %s time%s", 100 * copies / all,
			recorded_device(k, ops->artifact), by_class(k, &ops->table));
		f->action = "Consider: reducing CPU<->GPU transfers, using pinned memory";
	} else {
		f = look_found(k, SEVERITY_OK, ops->artifact,
			"memory copies are %.0f%% of %s time%s", 100 * copies / all,
			recorded_device(k, ops->artifact), by_class(k, &ops->table));
	}
	f->value = copies / all;
}
