/* The canary's notebook about one run: profiler summary, top operations, quick diagnosis, trace
 * file, baseline metrics.  `metrics` has what the run's metrics.json says; `diagnose` adds what the
 * trace says, and where there is no metrics.json, prints the diagnosis from it.
 *
 * Source: rlhf-canary, notebook 02, sections 5 to 8. */
#include "report/documents/printed.h"

enum { RULE = 60, TOP = 10, NAME_CUT = 38, NAME_WIDTH = 40 };
static const double NS_PER_MS = 1e6, BYTES_PER_KB = 1024;

static const char ask_diagnose[] = "diagnose", canary_metrics[] = "canary_metrics";

struct canary {
	struct printed *p;
	const char *metrics; /* the path of its metrics.json, or NULL */
	bool is_traced;      /* the trace is asked, too */
	bool has_ops;        /* the summary has lists of operations; their rows, or NULL */
	const struct table *ops;
	const struct table *trace; /* what `diagnose` says of it, or NULL */
	double cuda, cpu;          /* ms */
};

static void put_title(const struct canary *c, const char *title)
{
	str_adds(&c->p->b, "\n");
	printed_title(c->p, title, RULE);
}

/* ---- profiler summary ---- */

/* "profiler.KEY", or KEY where the file is that block alone. */
static double of_profiler(const struct canary *c, const char *key)
{
	double v = printed_number(c->p, arena_printf(c->p->mem, "profiler.%s", key));

	return isnan(v) ? printed_number(c->p, key) : v;
}

/* ---- top operations ---- */

static bool is_of(const struct canary *c, size_t row, const char *list)
{
	return span_is(table_word(c->ops, row, "list"), list);
}

static void put_ops(const struct canary *c, const char *title, const char *list, const char *time)
{
	size_t n = 0;

	put_title(c, title);
	str_addf(&c->p->b, "%-40s %10s %8s\n", "Operation", "Time (ms)", "Count");
	printed_rule(c->p, '-', RULE);
	for (size_t i = 0; i < table_rows(c->ops) && n < TOP; i++) {
		const char *name = printed_word(c->p, c->ops, i, "name");

		if (!is_of(c, i, list))
			continue;
		n++;
		str_addf(&c->p->b, "%s %10.2f %8.0f\n",
			printed_left(c->p, name, NAME_CUT, NAME_WIDTH),
			or_zero(table_number(c->ops, i, time)) / NS_PER_MS,
			or_zero(table_number(c->ops, i, "calls")));
	}
}

/* ---- quick diagnosis ---- */

/* Why a summary has no CUDA times is one of several things; the trace says which. */
static const char *why_no_times(const struct canary *c)
{
	const struct table *recorded = printed_table(c->p, "info", "recorded");
	size_t row;

	if (!c->is_traced)
		return "";
	if (!c->trace)
		return "(traceq: or torch renamed the attribute that the summary reads; a trace "
		       "would tell)\n";
	if (!isnan(table_number(c->trace, 0, "device")))
		return "(traceq: the trace has GPU work; torch renamed the attribute that the "
		       "summary reads)\n";
	return table_find_word(recorded, "what", SPAN("runtime calls"), &row) &&
			table_number(recorded, row, "seen") > 0
		? "(traceq: the trace has CUDA calls and no GPU work, either)\n"
		: "(traceq: the trace has neither CUDA calls nor GPU work)\n";
}

static void put_no_times(const struct canary *c)
{
	str_addf(&c->p->b,
		"This can happen when CUPTI profiling is unavailable (common on some cloud GPUs)\n"
		"CPU-side CUDA calls were still captured - see CPU operations above\n%s",
		why_no_times(c));
}

static void put_ratio(const struct canary *c)
{
	struct str *b = &c->p->b;

	if (!(c->cpu > 0))
		return;
	if (!(c->cuda > 0)) {
		str_addf(b, "\nINFO: No CUDA kernel times recorded (CPU time: %.0fms)\n", c->cpu);
		put_no_times(c);
	} else if (c->cpu / c->cuda > 2) {
		str_addf(b,
			"\nWARNING: CPU time (%.0fms) >> CUDA time (%.0fms)\n"
			"This suggests a CPU bottleneck (dataloader, tokenization, or Python "
			"overhead)\n",
			c->cpu, c->cuda);
	} else if (c->cpu / c->cuda < 0.5) {
		str_addf(b,
			"\nGOOD: CUDA time (%.0fms) >> CPU time (%.0fms)\n"
			"GPU is well-utilized, training is compute-bound (optimal)\n",
			c->cuda, c->cpu);
	} else {
		str_addf(b,
			"\nBALANCED: CPU time (%.0fms) ~ CUDA time (%.0fms)\n"
			"Mixed workload - both CPU and GPU contribute significantly\n",
			c->cpu, c->cuda);
	}
}

/* Copies and all of top_cuda_ops, or of what stands for it; false: there is no such list. */
static bool top_copies(const struct canary *c, double *copies, double *all)
{
	size_t n = 0;

	*copies = *all = 0;
	for (size_t i = 0; i < table_rows(c->ops); i++) {
		double ms = or_zero(table_number(c->ops, i, "self_device_ns")) / NS_PER_MS;

		if (!is_of(c, i, "top_cuda_ops"))
			continue;
		n++;
		*all += ms;
		if (span_has_nocase(table_word(c->ops, i, "name"), "copy"))
			*copies += ms;
	}
	if (c->has_ops || !(table_number(c->trace, 0, "documents_top_ns") > 0))
		return n > 0;
	*copies = table_number(c->trace, 0, "documents_copies_ns");
	*all = table_number(c->trace, 0, "documents_top_ns");
	return true;
}

static void put_copies(const struct canary *c)
{
	struct str *b = &c->p->b;
	double copies, all;

	if (!top_copies(c, &copies, &all))
		return;
	if (!(all > 0)) {
		str_adds(b, "\nNo CUDA kernel times recorded\n");
		put_no_times(c);
	} else if (copies / all > 0.3) {
		str_addf(b,
			"\nWARNING: Memory copies are %.0f%% of CUDA time\n"
			"Consider: reducing CPU<->GPU transfers, using pinned memory\n",
			copies / all * 100);
	} else {
		str_addf(b, "\nMemory copy overhead: %.0f%% of CUDA time (acceptable)\n",
			copies / all * 100);
	}
}

static void put_diagnosis(const struct canary *c)
{
	put_title(c, "QUICK DIAGNOSIS");
	put_ratio(c);
	put_copies(c);
	str_adds(&c->p->b, "\n");
}

/* ---- trace file, baseline metrics ---- */

/* As pathlib writes a path. */
static const char *plain(const char *path)
{
	return strncmp(path, "./", 2) == 0 && path[2] ? path + 2 : path;
}

/* A file of the run's folder, by which the run is called, or by its first trace. */
static const char *path_of(const struct canary *c, const char *name)
{
	const char *run = printed_path(c->p);
	size_t n = strlen(run), k = strlen(name);

	if (n >= k && strcmp(run + n - k, name) == 0)
		return run;
	return arena_printf(c->p->mem, "%s%s%s", run, n > 0 && run[n - 1] == '/' ? "" : "/", name);
}

/* The first trace of the folder; of a run that is one file, that. */
static void put_trace(const struct canary *c)
{
	const struct table *files = printed_table(c->p, "info", "files");
	const struct table *trace = printed_table(c->p, "info", "trace");
	const char *path = NULL;
	double bytes = NAN;
	size_t row;

	if (table_find_word(files, "kind", SPAN("trace"), &row)) {
		path = path_of(c, printed_word(c->p, files, row, "file"));
		bytes = table_number(files, row, "file_bytes");
	} else if (trace) {
		path = printed_path(c->p);
		bytes = table_number(trace, 0, "file_bytes");
	}
	if (path)
		str_addf(&c->p->b, "Trace file found: %s\nFile size: %.1f KB\n", plain(path),
			or_zero(bytes) / BYTES_PER_KB);
	else
		str_adds(&c->p->b, "No trace file found\n");
}

static void put_perf(const struct canary *c)
{
	double step = printed_number(c->p, "perf.step_time.mean");
	double rate = printed_number(c->p, "perf.approx_tokens_per_sec");
	double peak = printed_number(c->p, "perf.max_mem_mb");

	if (isnan(step) && isnan(rate) && isnan(peak))
		return;
	str_adds(&c->p->b, "\nBaseline metrics:\n");
	if (!isnan(step))
		str_addf(&c->p->b, "  Step time (mean): %.4fs\n", step);
	if (!isnan(rate))
		str_addf(&c->p->b, "  Tokens/sec: %.0f\n", rate);
	if (!isnan(peak))
		str_addf(&c->p->b, "  Peak memory: %.0fMB\n", peak);
}

/* Without a summary: what the notebook says then, and its diagnosis by the trace's own times. */
static void put_times(struct canary *c)
{
	str_adds(&c->p->b, "No profiler summary found in metrics\n");
	if (!c->trace)
		return;
	c->cuda = table_number(c->trace, 0, "documents_cuda_ns") / NS_PER_MS;
	c->cpu = table_number(c->trace, 0, "documents_cpu_ns") / NS_PER_MS;
	put_diagnosis(c);
}

/* False: there is nothing to print. */
static bool put(struct printed *p, bool is_traced)
{
	struct canary c = { .p = p, .is_traced = is_traced };
	size_t row;

	if (is_traced)
		c.trace = printed_table(p, ask_diagnose, "verdict");
	if (printed_artifact(p, canary_metrics, &row)) {
		struct span path = table_word(p->artifacts, row, "path");

		c.metrics = arena_copy(p->mem, path.p, path.n);
		c.has_ops = printed_sheet(p, "ops", "path", c.metrics, NULL, &c.ops, &row);
		str_addf(&p->b, "Metrics file: %s\n", plain(printed_safe(p, path)));
	}
	if (!c.metrics && !c.trace)
		return false;
	if (c.metrics &&
		(c.has_ops || !isnan(of_profiler(&c, "cuda_time_total_ms")) ||
			!isnan(of_profiler(&c, "cpu_time_total_ms")))) {
		c.cuda = or_zero(of_profiler(&c, "cuda_time_total_ms"));
		c.cpu = or_zero(of_profiler(&c, "cpu_time_total_ms"));
		const char *trace = printed_text(c.p, "profiler.trace_path");
		if (!*trace)
			trace = printed_text(c.p, "trace_path");
		put_title(&c, "PROFILER SUMMARY");
		str_addf(&c.p->b,
			"\nTrace file: %s\n\nTotal CUDA time: %.2f ms\nTotal CPU time:  %.2f ms\n"
			"Self CUDA time:  %.2f ms\n",
			*trace ? trace : "N/A", c.cuda, c.cpu,
			or_zero(of_profiler(&c, "self_cuda_time_total_ms")));
		put_ops(&c, "TOP 10 CUDA OPERATIONS (GPU time)", "top_cuda_ops", "self_device_ns");
		put_ops(&c, "TOP 10 CPU OPERATIONS (CPU time)", "top_cpu_ops", "self_cpu_ns");
		put_diagnosis(&c);
	} else {
		put_times(&c);
	}
	put_trace(&c);
	if (c.metrics)
		put_perf(&c);
	return true;
}

void canary_put_run(struct printed *p)
{
	size_t row;

	if (printed_artifact(p, canary_metrics, &row))
		(void)put(p, true);
}

/* ---- of answers ---- */

static enum status put_diagnose(struct printed *p)
{
	size_t n = printed_inputs(p), found = 0;

	for (size_t i = 0; i < n; i++) {
		printed_about(p, (int)i);
		if (put(p, true))
			found++;
		else if (n > 1)
			result_note(p->out, NOTE_WARNING, "no_answer", (int)i, -1,
				"no answer: no profiler summary and no trace in %s",
				printed_path(p));
	}
	if (found)
		return OK;
	/* Of a trace that is there it was left to the filters. */
	if (p->e->status != OK && (n == 0 || answers_table(p->in, "info", "trace", 0)))
		return p->e->status;
	if (n > 1)
		return err_set(p->e, E_NODATA, -1, "none of the %zu inputs has an answer", n);
	return err_set(
		p->e, E_NODATA, -1, "no profiler summary and no trace in %s", printed_path(p));
}

const struct document document_diagnose = {
	.answer = "diagnose",
	.ask = ask_diagnose,
	.beside = "info",
	.call = "traceq diagnose RUN --format seed",
	.about = "the canary's notebook about one run, and what its trace says of it",
	.speaks_for_nothing = true,
	.put = put_diagnose,
};

static enum status put_metrics(struct printed *p)
{
	size_t n = printed_inputs(p);

	for (size_t i = 0; i < n; i++) {
		printed_about(p, (int)i);
		if (!put(p, false))
			profiled_put_run(p);
	}
	if (p->b.n)
		return OK;
	return err_hinted(p->e, E_NODATA,
		"--format seed is about metrics.json of a canary and a profiler's folder",
		"nothing here that the guides' scripts print");
}

const struct document document_metrics = {
	.answer = "metrics",
	.ask = "metrics",
	.beside = "info",
	.call = "traceq metrics RUN --format seed",
	.about = "the canary's notebook about its metrics.json; else rldk's summary of a "
		 "profiler's folder",
	.speaks_for_nothing = true,
	.put = put_metrics,
};
