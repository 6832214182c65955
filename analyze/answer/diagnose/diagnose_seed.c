/*
 * `diagnose` in the layout of the documents: profiler summary, top operations, quick diagnosis,
 * trace file.
 *
 * Source: rlhf-canary, notebook 02, sections 5 to 7: headings, columns and words are theirs.  Where
 * a summary has no CUDA times their explanation is one of two, so a line says what is known.
 */
#include <math.h>
#include <string.h>

#include "analyze/answer/diagnose/diagnose.h"
#include "analyze/answer/diagnose/recorded.h"
#include "analyze/trace/run.h"
#include "base/saturate.h"

enum { RULE = 60, TOP = 10, NAME_COLUMNS = 40, NAME_CUT = 38 };
static const double NS_PER_MS = 1e6, BYTES_PER_KB = 1024;

static const struct column lines[] = {
	{ "line", "line", "A line of the document.", NULL, CELL_TEXT, UNIT_NONE, 0 },
};

/* What the page is made from.  Times are ms; NaN: nobody says. */
struct page {
	struct table *t;
	const struct record *r;
	const struct run *run;
	const struct profile *x; /* of the trace, or NULL */
	const struct sheet *ops; /* the summary's lists, or NULL */
	double cuda, cpu, self_cuda;
};

static void put_line(struct table *t, const char *text)
{
	table_row(t);
	table_text(t, 0, span_of(text));
}

static void put_rule(struct table *t, char c)
{
	char text[RULE + 1] = "";

	memset(text, c, RULE);
	table_row(t);
	table_textf(t, 0, "%s", text);
}

static void put_heading(struct table *t, const char *text)
{
	put_line(t, "");
	put_rule(t, '=');
	put_line(t, text);
	put_rule(t, '=');
}

static double or_zero(double v)
{
	return isnan(v) ? 0 : v;
}

static double number(const struct page *p, const char *key)
{
	return p->r ? scalar_number(record_find(&p->r->scalars, key)) : NAN;
}

static void put_summary(const struct page *p)
{
	const struct scalar *path = record_find(&p->r->scalars, "profiler.trace_path");
	struct span file = path && path->type == SCALAR_TEXT ? path->text : SPAN("N/A");

	put_heading(p->t, "PROFILER SUMMARY");
	put_line(p->t, "");
	table_row(p->t);
	table_textf(p->t, 0, "Trace file: %.*s", (int)file.n, file.p);
	put_line(p->t, "");
	table_row(p->t);
	table_textf(p->t, 0, "Total CUDA time: %.2f ms", or_zero(p->cuda));
	table_row(p->t);
	table_textf(p->t, 0, "Total CPU time:  %.2f ms", or_zero(p->cpu));
	table_row(p->t);
	table_textf(p->t, 0, "Self CUDA time:  %.2f ms", or_zero(p->self_cuda));
}

/* The first 38 characters of a name that has more, and how many columns are left to 40. */
static struct span cut_name(struct span name, int *pad)
{
	size_t i, n = 0, end = name.n;

	for (i = 0; i < name.n; i++) {
		if (((unsigned char)name.p[i] & 0xC0) == 0x80)
			continue;
		if (n == NAME_CUT)
			end = i;
		n++;
	}
	*pad = NAME_COLUMNS - (int)(n > NAME_CUT ? NAME_CUT : n);
	return (struct span){ name.p, n > NAME_CUT ? end : name.n };
}

static void put_list(const struct page *p, const char *title, const char *list, size_t col)
{
	const struct table *ops = p->ops ? &p->ops->table : NULL;
	size_t i, n = 0;

	put_heading(p->t, title);
	table_row(p->t);
	table_textf(p->t, 0, "%-40s %10s %8s", "Operation", "Time (ms)", "Count");
	put_rule(p->t, '-');
	for (i = 0; ops && i < ops->nrow && n < TOP; i++) {
		const union cell *calls = table_cell(ops, i, OPS_CALLS);
		int pad;
		struct span name;

		if (!span_is(table_text_at(ops, i, OPS_LIST), list))
			continue;
		n++;
		name = cut_name(table_text_at(ops, i, OPS_NAME), &pad);
		table_row(p->t);
		table_textf(p->t, 0, "%.*s%*s %10.2f %8lld", (int)name.n, name.p, pad, "",
			or_zero(table_number_at(ops, i, col)) / NS_PER_MS,
			calls ? (long long)calls->i : 0);
	}
}

/* Their explanation, and which of the two it is, as far as anybody knows. */
static void put_no_times(const struct page *p)
{
	put_line(p->t,
		"This can happen when CUPTI profiling is unavailable (common on some cloud "
		"GPUs)");
	put_line(p->t, "CPU-side CUDA calls were still captured - see CPU operations above");
	if (!p->x)
		put_line(p->t,
			"(traceq: or torch renamed the attribute that the summary reads; a "
			"trace would tell)");
	else if (p->x->has_device)
		put_line(p->t,
			"(traceq: the trace has device work; torch renamed the attribute "
			"that the summary reads)");
	else
		put_line(p->t,
			p->x->has_runtime
				? "(traceq: the trace has CUDA calls and no device work, either)"
				: "(traceq: the trace has neither CUDA calls nor device work)");
}

static void put_balance(const struct page *p)
{
	double ratio = p->cpu / p->cuda;
	struct table *t = p->t;

	if (!(p->cpu > 0))
		return;
	put_line(t, "");
	table_row(t);
	if (!(p->cuda > 0)) {
		table_textf(t, 0, "INFO: No CUDA kernel times recorded (CPU time: %.0fms)", p->cpu);
		put_no_times(p);
	} else if (ratio > 2.0) {
		table_textf(
			t, 0, "WARNING: CPU time (%.0fms) >> CUDA time (%.0fms)", p->cpu, p->cuda);
		put_line(t,
			"This suggests a CPU bottleneck (dataloader, tokenization, or Python "
			"overhead)");
	} else if (ratio < 0.5) {
		table_textf(t, 0, "GOOD: CUDA time (%.0fms) >> CPU time (%.0fms)", p->cuda, p->cpu);
		put_line(t, "GPU is well-utilized, training is compute-bound (optimal)");
	} else {
		table_textf(
			t, 0, "BALANCED: CPU time (%.0fms) ~ CUDA time (%.0fms)", p->cpu, p->cuda);
		put_line(t, "Mixed workload - both CPU and GPU contribute significantly");
	}
}

/* Copies and all of top_cuda_ops, or of the ten heaviest rows of the trace; false: no list. */
static bool top_copies(const struct page *p, double *copies, double *all)
{
	size_t i, n = 0;

	*copies = *all = 0;
	for (i = 0; p->ops && i < p->ops->table.nrow; i++) {
		double v = or_zero(table_number_at(&p->ops->table, i, OPS_SELF_DEVICE));

		if (!span_is(table_text_at(&p->ops->table, i, OPS_LIST), "top_cuda_ops"))
			continue;
		n++;
		*all += v;
		if (span_has_nocase(table_text_at(&p->ops->table, i, OPS_NAME), "copy"))
			*copies += v;
	}
	if (p->ops || !p->x || !p->x->has_device)
		return n > 0;
	*copies = (double)p->x->device.top10_copies;
	*all = (double)p->x->device.top10;
	return true;
}

static void put_copies(const struct page *p)
{
	double copies, all;
	struct table *t = p->t;

	if (!top_copies(p, &copies, &all))
		return;
	put_line(t, "");
	if (!(all > 0)) {
		put_line(t, "No CUDA kernel times recorded");
		put_no_times(p);
		return;
	}
	table_row(t);
	if (copies / all > 0.3) {
		table_textf(
			t, 0, "WARNING: Memory copies are %.0f%% of CUDA time", 100 * copies / all);
		put_line(t, "Consider: reducing CPU<->GPU transfers, using pinned memory");
	} else {
		table_textf(t, 0, "Memory copy overhead: %.0f%% of CUDA time (acceptable)",
			100 * copies / all);
	}
}

/* The file of the folder that the events are from; NULL: the run is a file itself. */
static const struct record_file *trace_file(const struct record *r)
{
	size_t i;

	for (i = 0; r && i < r->nfile; i++)
		if (r->file[i].state == FILE_READ && strcmp(r->file[i].kind, "trace") == 0)
			return &r->file[i];
	return NULL;
}

static void put_trace_file(const struct page *p)
{
	const struct record_file *f = trace_file(p->r);

	put_line(p->t, "");
	if (!p->x) {
		put_line(p->t, "No trace file found");
		return;
	}
	table_row(p->t);
	table_textf(p->t, 0, "Trace file found: %s", f ? f->name : p->run->path);
	table_row(p->t);
	table_textf(p->t, 0, "File size: %.1f KB",
		(double)(f ? f->bytes : p->run->file_bytes) / BYTES_PER_KB);
}

/* Times by the documents' formula where only the trace says them. */
static void from_trace(struct page *p)
{
	const struct profile *x = p->x;
	nsec cuda = 0;
	int k;

	if (!x)
		return;
	for (k = 0; k < CLASS_COUNT; k++)
		saturate_onto(&cuda, x->device.sum[k]);
	saturate_onto(&cuda, x->host.device_total);
	saturate_onto(&cuda, x->device.annotations);
	p->cuda = (double)cuda / NS_PER_MS;
	p->cpu = (double)x->host.cpu_total / NS_PER_MS;
}

enum status diagnose_seed(struct perrun *at, const struct profile *x)
{
	struct page p = { .r = at->run->record, .run = at->run, .x = x };
	bool has_summary;

	p.cpu = number(&p, "profiler.cpu_time_total_ms");
	p.cuda = number(&p, "profiler.cuda_time_total_ms");
	p.self_cuda = number(&p, "profiler.self_cuda_time_total_ms");
	has_summary = !isnan(p.cpu) || !isnan(p.cuda);
	if (!x && !has_summary)
		return err_set(at->e, E_NODATA, -1, "no profiler summary and no trace in %s",
			at->run->path);
	p.t = result_table(at->out, "seed", NULL, lines, COUNT_OF(lines));
	p.t->layout = TABLE_TEXT;
	if (has_summary) {
		p.ops = record_find_sheet(p.r, SHEET_OPS);
		put_summary(&p);
		put_list(&p, "TOP 10 CUDA OPERATIONS (GPU time)", "top_cuda_ops", OPS_SELF_DEVICE);
		put_list(&p, "TOP 10 CPU OPERATIONS (CPU time)", "top_cpu_ops", OPS_SELF_CPU);
	} else {
		put_line(p.t, "No profiler summary found in metrics");
		from_trace(&p);
	}
	put_heading(p.t, "QUICK DIAGNOSIS");
	put_balance(&p);
	put_copies(&p);
	put_trace_file(&p);
	return OK;
}
