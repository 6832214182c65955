/*
 * `metrics` in the layout of the documents: what the canary's notebook prints about a run.
 *
 * Source: rlhf-canary, notebook 02, sections 5 to 8: headings, widths, number formats and sentences
 * are its own, also where they are wrong; `traceq diagnose` says what is right.
 */
#include <math.h>
#include <string.h>

#include "analyze/answer/metrics/metrics.h"
#include "analyze/query/printed.h"
#include "analyze/trace/record.h"
#include "analyze/trace/run.h"

enum { RULE = 60, TOP = 10, NAME = 38 };
static const double MS = 1e6;

struct print {
	const struct perrun *at;
	const struct record *r;
	struct table *t;
};

static void put_title(const struct print *p, const char *title)
{
	printed_line(p->t, "%s", "");
	printed_title(p->t, title, RULE);
}

static void put_blank(const struct print *p)
{
	printed_line(p->t, "%s", "");
}

/* The scalar "profiler.KEY", or KEY where the file is that block alone. */
static const struct scalar *of_profiler(const struct print *p, const char *key)
{
	const char *full = arena_printf(p->t->mem, "profiler.%s", key);
	const struct scalar *s = record_find(&p->r->scalars, full);

	return s ? s : record_find(&p->r->scalars, key);
}

/* profiler.get(key, 0) */
static double number_of(const struct print *p, const char *key)
{
	double v = scalar_number(of_profiler(p, key));

	return isnan(v) ? 0 : v;
}

static bool has_profile(const struct print *p)
{
	return record_find_sheet(p->r, SHEET_OPS) || of_profiler(p, "cuda_time_total_ms") ||
		of_profiler(p, "cpu_time_total_ms");
}

static void put_summary(const struct print *p)
{
	const struct scalar *trace = of_profiler(p, "trace_path");

	put_title(p, "PROFILER SUMMARY");
	put_blank(p);
	printed_line(p->t, "Trace file: %.*s", trace ? (int)trace->text.n : 3,
		trace ? trace->text.p : "N/A");
	put_blank(p);
	printed_line(p->t, "Total CUDA time: %.2f ms", number_of(p, "cuda_time_total_ms"));
	printed_line(p->t, "Total CPU time:  %.2f ms", number_of(p, "cpu_time_total_ms"));
	printed_line(p->t, "Self CUDA time:  %.2f ms", number_of(p, "self_cuda_time_total_ms"));
}

/* A row of one of the two lists, and its self time in ms. */
static bool is_of(const struct table *ops, size_t row, const char *list, size_t col, double *ms)
{
	*ms = table_number_at(ops, row, col) / MS;
	return span_is(table_text_at(ops, row, OPS_LIST), list) && !isnan(*ms);
}

static void put_ops(const struct print *p, const char *title, const char *list, size_t col)
{
	const struct sheet *s = record_find_sheet(p->r, SHEET_OPS);
	struct str b = { 0 };
	double ms;
	size_t i, n = 0;

	put_title(p, title);
	printed_line(p->t, "%-40s %10s %8s", "Operation", "Time (ms)", "Count");
	printed_rule(p->t, '-', RULE);
	for (i = 0; s && i < s->table.nrow && n < TOP; i++) {
		if (!is_of(&s->table, i, list, col, &ms))
			continue;
		n++;
		str_reset(&b);
		printed_left(&b, printed_cut(table_text_at(&s->table, i, OPS_NAME), NAME), 40);
		printed_line(
			p->t, "%s %10.2f %8.0f", b.s, ms, table_number_at(&s->table, i, OPS_CALLS));
	}
	str_free(&b);
}

static void put_unavailable(const struct print *p)
{
	printed_line(p->t,
		"This can happen when CUPTI profiling is unavailable (common on some cloud GPUs)");
	printed_line(p->t, "CPU-side CUDA calls were still captured - see CPU operations above");
}

static void put_ratio(const struct print *p)
{
	double cuda = number_of(p, "cuda_time_total_ms"), cpu = number_of(p, "cpu_time_total_ms");

	if (!(cpu > 0))
		return;
	put_blank(p);
	if (!(cuda > 0)) {
		printed_line(p->t, "INFO: No CUDA kernel times recorded (CPU time: %.0fms)", cpu);
		put_unavailable(p);
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

static void put_copies(const struct print *p)
{
	const struct sheet *s = record_find_sheet(p->r, SHEET_OPS);
	double ms, all = 0, copies = 0;
	size_t i, n = 0;

	for (i = 0; s && i < s->table.nrow; i++) {
		if (!is_of(&s->table, i, "top_cuda_ops", OPS_SELF_DEVICE, &ms))
			continue;
		n++;
		all += ms;
		if (span_has_nocase(table_text_at(&s->table, i, OPS_NAME), "copy"))
			copies += ms;
	}
	if (n == 0)
		return;
	put_blank(p);
	if (all == 0) {
		printed_line(p->t, "No CUDA kernel times recorded");
		put_unavailable(p);
	} else if (copies / all > 0.3) {
		printed_line(
			p->t, "WARNING: Memory copies are %.0f%% of CUDA time", copies / all * 100);
		printed_line(p->t, "Consider: reducing CPU<->GPU transfers, using pinned memory");
	} else {
		printed_line(p->t, "Memory copy overhead: %.0f%% of CUDA time (acceptable)",
			copies / all * 100);
	}
}

static void put_profile(const struct print *p)
{
	put_summary(p);
	put_ops(p, "TOP 10 CUDA OPERATIONS (GPU time)", "top_cuda_ops", OPS_SELF_DEVICE);
	put_ops(p, "TOP 10 CPU OPERATIONS (CPU time)", "top_cpu_ops", OPS_SELF_CPU);
	put_title(p, "QUICK DIAGNOSIS");
	put_ratio(p);
	put_copies(p);
	put_blank(p);
}

/* As pathlib writes a path. */
static const char *plain(const char *path)
{
	return strncmp(path, "./", 2) == 0 && path[2] ? path + 2 : path;
}

/* The first trace of the folder in which `file` is, too. */
static void put_trace(const struct print *p, const char *file)
{
	const char *below = run_below(p->at->run, file);
	int in_front = (int)(strlen(file) - strlen(below));
	size_t i;

	for (i = 0; i < p->r->nfile; i++) {
		const struct record_file *f = &p->r->file[i];

		if (!f->kind || strcmp(f->kind, "trace") != 0)
			continue;
		printed_line(p->t, "Trace file found: %s",
			plain(arena_printf(p->t->mem, "%.*s%s", in_front, file, f->name)));
		printed_line(p->t, "File size: %.1f KB", (double)f->bytes / 1024);
		return;
	}
	printed_line(p->t, "No trace file found");
}

static void put_perf(const struct print *p)
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

void metrics_print(const struct perrun *at)
{
	struct print p = { at, at->record, NULL };
	const struct record_artifact *a;
	size_t i;

	for (i = 0; i < p.r->nartifact; i++)
		if (strcmp(p.r->artifact[i].kind, "canary_metrics") == 0)
			break;
	if (i == p.r->nartifact) {
		metrics_print_report(at);
		return;
	}
	a = &p.r->artifact[i];
	p.t = printed_table(at->out, at->input);
	printed_line(p.t, "Metrics file: %s", plain(a->path));
	if (has_profile(&p))
		put_profile(&p);
	else
		printed_line(p.t, "No profiler summary found in metrics");
	put_trace(&p, a->path);
	put_perf(&p);
}
