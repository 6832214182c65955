/*
 * The page of the canary's notebook: profiler summary, top operations, quick diagnosis, trace file,
 * baseline metrics.
 *
 * Source: rlhf-canary, notebook 02, sections 5 to 8: headings, widths, number formats and sentences
 * are its own, also where they are wrong; `traceq diagnose` says what is right.
 */
#include "analyze/analysis/printed_canary.h"

#include <math.h>
#include <string.h>

#include "analyze/analysis/printed.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"

enum { RULE = 60, TOP = 10, NAME_CUT = 38, NAME_WIDTH = 40 };
static const double NS_PER_MS = 1e6, BYTES_PER_KB = 1024;

struct page {
	struct table *t;
	const struct run *run;
	const struct record *r;       /* NULL: there is but a trace */
	const struct sheet *ops;      /* the summary's two lists, or NULL */
	const struct canary_trace *x; /* or NULL */
	double cuda, cpu;             /* ms */
};

static void put_blank(const struct page *p)
{
	printed_line(p->t, "%s", "");
}

static void put_title(const struct page *p, const char *title)
{
	put_blank(p);
	printed_title(p->t, title, RULE);
}

/* ---- profiler summary ---- */

/* The scalar "profiler.KEY", or KEY where the file is that block alone. */
static const struct scalar *of_profiler(const struct page *p, const char *key)
{
	const char *full = arena_printf(p->t->mem, "profiler.%s", key);
	const struct scalar *s = record_find(&p->r->scalars, full);

	return s ? s : record_find(&p->r->scalars, key);
}

static double or_zero(double v)
{
	return isnan(v) ? 0 : v;
}

/* profiler.get(key, 0) */
static double number_of(const struct page *p, const char *key)
{
	return or_zero(scalar_number(of_profiler(p, key)));
}

static void put_summary(const struct page *p)
{
	const struct scalar *s = of_profiler(p, "trace_path");
	struct span trace = s && s->type == SCALAR_TEXT ? s->text : SPAN("N/A");

	put_title(p, "PROFILER SUMMARY");
	put_blank(p);
	printed_line(p->t, "Trace file: %.*s", (int)trace.n, trace.p);
	put_blank(p);
	printed_line(p->t, "Total CUDA time: %.2f ms", p->cuda);
	printed_line(p->t, "Total CPU time:  %.2f ms", p->cpu);
	printed_line(p->t, "Self CUDA time:  %.2f ms", number_of(p, "self_cuda_time_total_ms"));
}

/* ---- top operations ---- */

/* Whether the row is of that list; its self time. */
static bool is_of(const struct page *p, size_t row, const char *list, size_t col, double *ms)
{
	*ms = or_zero(table_number_at(&p->ops->table, row, col)) / NS_PER_MS;
	return span_is(table_text_at(&p->ops->table, row, OPS_LIST), list);
}

static void put_ops(const struct page *p, const char *title, const char *list, size_t col)
{
	size_t i, n = 0, rows = p->ops ? p->ops->table.nrow : 0;
	struct str b = { 0 };
	double ms;

	put_title(p, title);
	printed_line(p->t, "%-40s %10s %8s", "Operation", "Time (ms)", "Count");
	printed_rule(p->t, '-', RULE);
	for (i = 0; i < rows && n < TOP; i++) {
		const struct table *ops = &p->ops->table;

		if (!is_of(p, i, list, col, &ms))
			continue;
		n++;
		str_reset(&b);
		printed_left(
			&b, printed_cut(table_text_at(ops, i, OPS_NAME), NAME_CUT), NAME_WIDTH);
		printed_line(p->t, "%s %10.2f %8.0f", b.s, ms,
			or_zero(table_number_at(ops, i, OPS_CALLS)));
	}
	str_free(&b);
}

/* ---- quick diagnosis ---- */

static void put_no_times(const struct page *p)
{
	printed_line(p->t,
		"This can happen when CUPTI profiling is unavailable (common on some cloud GPUs)");
	printed_line(p->t, "CPU-side CUDA calls were still captured - see CPU operations above");
	if (p->x)
		printed_line(p->t, "%s", p->x->why);
}

static void put_ratio(const struct page *p)
{
	double cuda = p->cuda, cpu = p->cpu;

	if (!(cpu > 0))
		return;
	put_blank(p);
	if (!(cuda > 0)) {
		printed_line(p->t, "INFO: No CUDA kernel times recorded (CPU time: %.0fms)", cpu);
		put_no_times(p);
	} else if (cpu / cuda > 2) {
		printed_line(p->t, "WARNING: CPU time (%.0fms) >> CUDA time (%.0fms)", cpu, cuda);
		printed_line(p->t,
			"This suggests a CPU bottleneck (dataloader, tokenization, or "
			"Python overhead)");
	} else if (cpu / cuda < 0.5) {
		printed_line(p->t, "GOOD: CUDA time (%.0fms) >> CPU time (%.0fms)", cuda, cpu);
		printed_line(p->t, "GPU is well-utilized, training is compute-bound (optimal)");
	} else {
		printed_line(p->t, "BALANCED: CPU time (%.0fms) ~ CUDA time (%.0fms)", cpu, cuda);
		printed_line(p->t, "Mixed workload - both CPU and GPU contribute significantly");
	}
}

/* Copies and all of top_cuda_ops, or of what stands for it; false: there is no such list. */
static bool top_copies(const struct page *p, double *copies, double *all)
{
	size_t i, n = 0, rows = p->ops ? p->ops->table.nrow : 0;
	double ms;

	*copies = *all = 0;
	for (i = 0; i < rows; i++) {
		if (!is_of(p, i, "top_cuda_ops", OPS_SELF_DEVICE, &ms))
			continue;
		n++;
		*all += ms;
		if (span_has_nocase(table_text_at(&p->ops->table, i, OPS_NAME), "copy"))
			*copies += ms;
	}
	if (p->ops || !p->x || !(p->x->top > 0))
		return n > 0;
	*copies = p->x->copies;
	*all = p->x->top;
	return true;
}

static void put_copies(const struct page *p)
{
	double copies, all;

	if (!top_copies(p, &copies, &all))
		return;
	put_blank(p);
	if (!(all > 0)) {
		printed_line(p->t, "No CUDA kernel times recorded");
		put_no_times(p);
	} else if (copies / all > 0.3) {
		printed_line(
			p->t, "WARNING: Memory copies are %.0f%% of CUDA time", copies / all * 100);
		printed_line(p->t, "Consider: reducing CPU<->GPU transfers, using pinned memory");
	} else {
		printed_line(p->t, "Memory copy overhead: %.0f%% of CUDA time (acceptable)",
			copies / all * 100);
	}
}

static void put_diagnosis(const struct page *p)
{
	put_title(p, "QUICK DIAGNOSIS");
	put_ratio(p);
	put_copies(p);
	put_blank(p);
}

/* ---- trace file, baseline metrics ---- */

/* As pathlib writes a path. */
static const char *plain(const char *path)
{
	return strncmp(path, "./", 2) == 0 && path[2] ? path + 2 : path;
}

static void put_found(const struct page *p, const char *path, int64_t bytes)
{
	printed_line(p->t, "Trace file found: %s", plain(path));
	printed_line(p->t, "File size: %.1f KB", (double)bytes / BYTES_PER_KB);
}

/* A file of the run's folder, from where traceq is. */
static const char *file_of(const struct page *p, const char *name)
{
	const char *folder = p->run->path;
	size_t n = strlen(folder);

	return arena_printf(
		p->t->mem, "%s%s%s", folder, n > 0 && folder[n - 1] == '/' ? "" : "/", name);
}

/* The first trace of the folder; of a run that is one file, that. */
static void put_trace(const struct page *p)
{
	size_t i, n = p->run->record ? p->run->record->nfile : 0;

	for (i = 0; i < n; i++) {
		const struct record_file *f = &p->run->record->file[i];

		if (!f->kind || strcmp(f->kind, "trace") != 0)
			continue;
		put_found(p, file_of(p, f->name), f->bytes);
		return;
	}
	if (p->run->has_trace)
		put_found(p, p->run->path, p->run->file_bytes);
	else
		printed_line(p->t, "No trace file found");
}

static void put_perf(const struct page *p)
{
	double step = scalar_number(record_find(&p->r->scalars, "perf.step_time.mean"));
	double rate = scalar_number(record_find(&p->r->scalars, "perf.approx_tokens_per_sec"));
	double peak = scalar_number(record_find(&p->r->scalars, "perf.max_mem_mb"));

	if (isnan(step) && isnan(rate) && isnan(peak))
		return;
	put_blank(p);
	printed_line(p->t, "Baseline metrics:");
	if (!isnan(step))
		printed_line(p->t, "  Step time (mean): %.4fs", step);
	if (!isnan(rate))
		printed_line(p->t, "  Tokens/sec: %.0f", rate);
	if (!isnan(peak))
		printed_line(p->t, "  Peak memory: %.0fMB", peak);
}

static bool has_summary(const struct page *p)
{
	return p->ops || of_profiler(p, "cuda_time_total_ms") ||
		of_profiler(p, "cpu_time_total_ms");
}

static void put_profile(struct page *p)
{
	p->cuda = number_of(p, "cuda_time_total_ms");
	p->cpu = number_of(p, "cpu_time_total_ms");
	put_summary(p);
	put_ops(p, "TOP 10 CUDA OPERATIONS (GPU time)", "top_cuda_ops", OPS_SELF_DEVICE);
	put_ops(p, "TOP 10 CPU OPERATIONS (CPU time)", "top_cpu_ops", OPS_SELF_CPU);
	put_diagnosis(p);
}

/* Without a summary: what the notebook says then, and its diagnosis by the trace's own times. */
static void put_times(struct page *p)
{
	printed_line(p->t, "No profiler summary found in metrics");
	if (!p->x || !p->x->has_times)
		return;
	p->cuda = p->x->cuda;
	p->cpu = p->x->cpu;
	put_diagnosis(p);
}

static const struct sheet *ops_of(const struct record *r, int artifact)
{
	size_t i;

	for (i = 0; i < r->nsheet; i++)
		if (r->sheet[i]->kind == SHEET_OPS && r->sheet[i]->artifact == artifact)
			return r->sheet[i];
	return NULL;
}

bool printed_canary(
	struct result *out, int input, const struct run *run, const struct canary_trace *x)
{
	struct page p = { .run = run, .x = x };
	int metrics = run->record ? record_find_artifact(run->record, "canary_metrics") : -1;

	if (metrics < 0 && !(x && x->has_times))
		return false;
	p.t = printed_table(out, input, metrics < 0 ? "seed_trace" : "seed_canary");
	if (metrics >= 0) {
		p.r = run->record;
		p.ops = ops_of(p.r, metrics);
		printed_line(p.t, "Metrics file: %s", plain(p.r->artifact[metrics].path));
	}
	if (p.r && has_summary(&p))
		put_profile(&p);
	else
		put_times(&p);
	put_trace(&p);
	if (p.r)
		put_perf(&p);
	return true;
}
