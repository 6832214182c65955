/*
 * `diff` in the layout of the documents: baseline against slow run, and what explains it.
 *
 * Source: rlhf-canary, notebook 02, sections 7 and 8: headings, columns and number formats are
 * theirs.  What they print whatever happened, the diagnosis, is derived here.
 */
#include <math.h>
#include <string.h>

#include "analyze/answer/diff/diff.h"
#include "analyze/analysis/printed.h"

enum { RULE = 60, COMPARISON = 70, PROFILER = 55 };
static const double NS_PER_S = 1e9, NS_PER_MS = 1e6, NS_PER_US = 1e3, BYTES_PER_MB = 1048576;

static void put_heading(struct table *t, const char *text)
{
	printed_title(t, text, RULE);
	printed_line(t, "%s", "");
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
	printed_line(t, "%-25s %15.*f %15.*f %+14.1f%%", title, decimals, base / unit, decimals,
		now / unit, base != 0 ? (now - base) / base * 100 : 0.0);
}

/* What the documents' own file says, beside a trace as well (log_ID). */
static void pair_of(const struct diff *d, const char *log_id, double *base, double *now)
{
	const char *id = log_id + strlen("log_");

	*base = mean_of(&d->c.base_metrics, log_id);
	*now = mean_of(&d->c.now_metrics, log_id);
	if (!isnan(*base) && !isnan(*now))
		return;
	*base = mean_of(&d->c.base_metrics, id);
	*now = mean_of(&d->c.now_metrics, id);
}

static void put_comparison(struct diff *d, struct table *t)
{
	double b, n;

	put_heading(t, "COMPARISON: Baseline vs Slow Run");
	printed_line(t, "%-25s %15s %15s %15s", "Metric", "Baseline", "Slow", "Change");
	printed_rule(t, '-', COMPARISON);
	pair_of(d, "log_step_time", &b, &n);
	put_ratio(t, "Step time (s)", b, n, NS_PER_S, 4);
	pair_of(d, "log_tokens_per_sec", &b, &n);
	put_ratio(t, "Tokens/sec", b, n, 1, 0);
	pair_of(d, "log_peak_memory", &b, &n);
	if (!isnan(b) && !isnan(n))
		printed_line(t, "%-25s %15.0f %15.0f %+14.0f", "Memory (MB)", b / BYTES_PER_MB,
			n / BYTES_PER_MB, (n - b) / BYTES_PER_MB);
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

/* In ns, as the documents' file says, else of the traces; NaN: of one side nothing is known. */
static void times_of(struct diff *d, bool is_cuda, double *base, double *now)
{
	const char *id = is_cuda ? "profiler.cuda_time_total_ms" : "profiler.cpu_time_total_ms";

	*base = mean_of(&d->c.base_metrics, id);
	*now = mean_of(&d->c.now_metrics, id);
	if (isnan(*base) || isnan(*now)) {
		*base = trace_mean(d->c.base, is_cuda);
		*now = trace_mean(d->c.now, is_cuda);
	}
}

/* Whether both runs have such a time. */
static bool has_times(struct diff *d, bool is_cuda)
{
	double base, now;

	times_of(d, is_cuda, &base, &now);
	return !isnan(base) && !isnan(now);
}

static void put_time(struct diff *d, struct table *t, const char *title, bool is_cuda)
{
	double base, now;

	times_of(d, is_cuda, &base, &now);
	if (has_times(d, is_cuda))
		printed_line(t, "%-25s %15.2f %15.2f", title, base / NS_PER_MS, now / NS_PER_MS);
}

static void put_profiler(struct diff *d, struct table *t)
{
	if (!has_times(d, true) && !has_times(d, false))
		return;
	printed_line(t, "%s", "");
	put_heading(t, "PROFILER COMPARISON");
	printed_line(t, "%-25s %15s %15s", "Metric", "Baseline", "Slow");
	printed_rule(t, '-', PROFILER);
	put_time(d, t, "CUDA time (ms)", true);
	put_time(d, t, "CPU time (ms)", false);
}

/* Device work per step: how often, and how long each; false: not known. */
struct work {
	double n0, n1, t0, t1;
};

static bool work_of(struct diff *d, struct work *w)
{
	w->n0 = mean_of(&d->c.base_metrics, "launches_per_step");
	w->n1 = mean_of(&d->c.now_metrics, "launches_per_step");
	w->t0 = mean_of(&d->c.base_metrics, "device_time") / w->n0 / NS_PER_US;
	w->t1 = mean_of(&d->c.now_metrics, "device_time") / w->n1 / NS_PER_US;
	return w->n0 > 0 && w->n1 > 0;
}

/*
 * The documents' reasons why a smaller batch is slower, each where the figure behind it says so,
 * and their advice.
 */
static void put_smaller_batch(struct diff *d, struct table *t)
{
	double base, now;
	struct work w;

	printed_line(t, "The slowdown comes with a smaller batch size:");
	times_of(d, false, &base, &now);
	if (now > base)
		printed_line(t,
			"- More Python/framework overhead per sample: CPU time %.2f ms (was %.2f ms)",
			now / NS_PER_MS, base / NS_PER_MS);
	if (work_of(d, &w) && w.t1 < w.t0)
		printed_line(t,
			"- Less efficient GPU utilization (smaller kernels): %.1f us each (was %.1f us)",
			w.t1, w.t0);
	if (contrast_config_rose(&d->c, "gradient_accumulation_steps"))
		printed_line(t,
			"- More dataloader calls per effective batch: more gradient accumulation");
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
	bool is_smaller = is_slower(d) && contrast_config_fell(&d->c, "batch_size");
	struct work w;
	size_t i;

	printed_line(t, "%s", "");
	put_heading(t, "DIAGNOSIS");
	if (is_smaller)
		put_smaller_batch(d, t);
	for (i = 0; i < d->why->nrow; i++) {
		struct span why = table_text_at(d->why, i, DWHY_TEXT);

		printed_line(t, "- %.*s", (int)why.n, why.p);
	}
	if (work_of(d, &w))
		printed_line(t,
			"- %.0f kernels and copies per step (was %.0f), %.1f us each on average (was %.1f us)",
			w.n1, w.n0, w.t1, w.t0);
	if (!is_smaller)
		return;
	printed_line(t, "%s", "");
	printed_line(t, "Fix: Increase batch_size, use gradient accumulation wisely");
}

void diff_put_seed(struct diff *d)
{
	struct table *t = printed_table(d->out, -1, "seed_comparison");

	put_comparison(d, t);
	put_profiler(d, t);
	put_diagnosis(d, t);
}
