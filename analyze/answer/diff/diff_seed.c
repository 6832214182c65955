/*
 * `diff` in the layout of the documents: baseline against slow run, and what explains it.
 *
 * Source: rlhf-canary, notebook 02, sections 7 and 8: headings, columns and number formats are
 * theirs.  What they print whatever happened, the diagnosis, is derived here.
 */
#include <math.h>
#include <string.h>

#include "analyze/answer/diff/diff.h"

enum { RULE = 60, COMPARISON = 70, PROFILER = 55 };
static const double NS_PER_S = 1e9, NS_PER_MS = 1e6, NS_PER_US = 1e3, BYTES_PER_MB = 1048576;

static const struct column lines[] = {
	{ "line", "line", "A line of the document.", NULL, CELL_TEXT, UNIT_NONE, 0 },
};

static void put_rule(struct table *t, char c, int n)
{
	char text[COMPARISON + 1];
	int i;

	for (i = 0; i < n; i++)
		text[i] = c;
	table_row(t);
	table_textf(t, 0, "%.*s", n, text);
}

static void put_line(struct table *t, const char *text)
{
	table_row(t);
	table_text(t, 0, span_of(text));
}

static void put_heading(struct table *t, const char *text)
{
	put_rule(t, '=', RULE);
	put_line(t, text);
	put_rule(t, '=', RULE);
	put_line(t, "");
}

/* The mean of a metric over its runs' means, as the documents have it. */
static double mean_of(const struct metricset *set, const char *id)
{
	const struct metric *m = metricset_find(set, id);
	double sum = 0;
	size_t i;

	if (!m)
		return NAN;
	for (i = 0; i < m->n; i++)
		sum += m->sample[i].mean / (double)m->n;
	return sum;
}

static void put_ratio(
	struct table *t, const char *title, double base, double now, double unit, int decimals)
{
	if (isnan(base) || isnan(now))
		return;
	table_row(t);
	table_textf(t, 0, "%-25s %15.*f %15.*f %+14.1f%%", title, decimals, base / unit, decimals,
		now / unit, base != 0 ? (now - base) / base * 100 : 0.0);
}

/* What the documents read is the run's own summary: before what a trace says. */
static double own_mean(const struct metricset *set, const char *beside, const char *id)
{
	double v = mean_of(set, beside);

	return isnan(v) ? mean_of(set, id) : v;
}

static void put_comparison(struct diff *d, struct table *t)
{
	const struct metricset *base = &d->c.base_metrics, *now = &d->c.now_metrics;
	double b, n;

	put_heading(t, "COMPARISON: Baseline vs Slow Run");
	table_row(t);
	table_textf(t, 0, "%-25s %15s %15s %15s", "Metric", "Baseline", "Slow", "Change");
	put_rule(t, '-', COMPARISON);
	put_ratio(t, "Step time (s)", own_mean(base, "log_step_time", "step_time"),
		own_mean(now, "log_step_time", "step_time"), NS_PER_S, 4);
	put_ratio(t, "Tokens/sec", mean_of(base, "tokens_per_sec"), mean_of(now, "tokens_per_sec"),
		1, 0);
	b = own_mean(base, "log_peak_memory", "peak_memory") / BYTES_PER_MB;
	n = own_mean(now, "log_peak_memory", "peak_memory") / BYTES_PER_MB;
	if (!isnan(b) && !isnan(n)) {
		table_row(t);
		table_textf(t, 0, "%-25s %15.0f %15.0f %+14.0f", "Memory (MB)", b, n, n - b);
	}
}

/* Mean over the side's traces; NaN when there are none. */
static double trace_mean(const struct side *s, bool is_cuda)
{
	double sum = 0;
	size_t i, k, n = 0;

	for (i = 0; i < s->nrun; i++)
		for (k = 0; k < s->run[i].nrank; k++, n++) {
			const struct digest *d = s->run[i].part[k].digest;

			sum += (double)(is_cuda ? d->documents_cuda : d->documents_cpu);
		}
	return n > 0 ? sum / (double)n : NAN;
}

static void put_time(
	struct diff *d, struct table *t, const char *title, const char *id, bool is_cuda)
{
	double base = mean_of(&d->c.base_metrics, id), now = mean_of(&d->c.now_metrics, id);

	if (isnan(base) || isnan(now)) {
		base = trace_mean(d->c.base, is_cuda);
		now = trace_mean(d->c.now, is_cuda);
	}
	if (isnan(base) || isnan(now))
		return;
	table_row(t);
	table_textf(t, 0, "%-25s %15.2f %15.2f", title, base / NS_PER_MS, now / NS_PER_MS);
}

static void put_profiler(struct diff *d, struct table *t)
{
	put_line(t, "");
	put_heading(t, "PROFILER COMPARISON");
	table_row(t);
	table_textf(t, 0, "%-25s %15s %15s", "Metric", "Baseline", "Slow");
	put_rule(t, '-', PROFILER);
	put_time(d, t, "CUDA time (ms)", "profiler.cuda_time_total_ms", true);
	put_time(d, t, "CPU time (ms)", "profiler.cpu_time_total_ms", false);
}

/* Device work: as often, as long. */
static void put_work(struct diff *d, struct table *t)
{
	double n0 = mean_of(&d->c.base_metrics, "launches_per_step");
	double n1 = mean_of(&d->c.now_metrics, "launches_per_step");
	double t0 = mean_of(&d->c.base_metrics, "device_time");
	double t1 = mean_of(&d->c.now_metrics, "device_time");

	if (!(n0 > 0) || !(n1 > 0))
		return;
	table_row(t);
	table_textf(t, 0,
		"- %.0f kernels and copies per step (was %.0f), %.1f us each on average (was %.1f us)",
		n1, n0, t1 / n1 / NS_PER_US, t0 / n0 / NS_PER_US);
}

/* By any step time: that of the trace, or of the run's own summary. */
static bool is_slower(const struct diff *d)
{
	size_t i;

	for (i = 0; i < d->nfigure; i++)
		if (d->figure[i].sort == FIGURE_WORSE &&
			strcmp(metric_quantity(metric_pair_any(&d->figure[i].pair)), "step_time") ==
				0)
			return true;
	return d->c.has_step && d->c.step.answer.decision == DECISION_FAIL;
}

/*
 * What the documents always say, a smaller batch size, only where it is so; then the sentences of
 * `why` and what is measured.
 */
static void put_diagnosis(struct diff *d, struct table *t)
{
	size_t i;

	put_line(t, "");
	put_heading(t, "DIAGNOSIS");
	if (is_slower(d) && contrast_config_fell(&d->c, "batch_size"))
		put_line(t, "The slowdown comes with a smaller batch size:");
	for (i = 0; i < d->why->nrow; i++) {
		struct span why = table_text_at(d->why, i, DWHY_TEXT);

		table_row(t);
		table_textf(t, 0, "- %.*s", (int)why.n, why.p);
	}
	put_work(d, t);
}

void diff_put_seed(struct diff *d)
{
	struct table *t = result_table(d->out, "seed", NULL, lines, COUNT_OF(lines));

	t->layout = TABLE_TEXT;
	put_comparison(d, t);
	put_profiler(d, t);
	put_diagnosis(d, t);
}
