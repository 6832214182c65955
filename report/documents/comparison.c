/* The canary's notebook about a baseline and a slow run, and what explains the difference.  What it
 * prints whatever happened, the diagnosis, stands here where the figures say so.
 *
 * Source: rlhf-canary, notebook 02, sections 7 and 8. */
#include "report/documents/printed.h"

enum { RULE = 60, COMPARISON = 70, PROFILER = 55 };
static const double NS_PER_S = 1e9, NS_PER_MS = 1e6, NS_PER_US = 1e3, BYTES_PER_MB = 0x1p20;

static const char ask_diff[] = "diff";

/* A figure of both sides; NaN: a side has none. */
struct pair {
	double base, now;
};

static bool is_known(struct pair v)
{
	return !isnan(v.base) && !isnan(v.now);
}

static void put_heading(struct printed *p, const char *text)
{
	printed_title(p, text, RULE);
	str_adds(&p->b, "\n");
}

/* The mean of a figure over its runs' means, as the documents have it. */
static struct pair mean_of(struct printed *p, const char *id)
{
	const struct table *t = printed_table(p, ask_diff, "metrics");
	size_t row;

	if (!table_find_word(t, "id", span_of(id), &row))
		return (struct pair){ NAN, NAN };
	return (struct pair){ table_number(t, row, "base_mean"), table_number(t, row, "new_mean") };
}

/* What the documents' own file says, beside a trace as well (log_ID). */
static struct pair pair_of(struct printed *p, const char *log_id)
{
	struct pair v = mean_of(p, log_id);

	return is_known(v) ? v : mean_of(p, log_id + strlen("log_"));
}

static void put_ratio(
	struct printed *p, const char *title, struct pair v, double unit, int decimals)
{
	if (is_known(v))
		str_addf(&p->b, "%-25s %15.*f %15.*f %+14.1f%%\n", title, decimals, v.base / unit,
			decimals, v.now / unit,
			v.base != 0 ? (v.now - v.base) / v.base * 100 : 0.0);
}

/* In ns, as the documents' file says, else of the traces. */
static struct pair times_of(struct printed *p, bool is_cuda)
{
	const struct table *sides = printed_table(p, ask_diff, "sides");
	const char *key = is_cuda ? "documents_cuda_ns" : "documents_cpu_ns";
	struct pair v =
		mean_of(p, is_cuda ? "profiler.cuda_time_total_ms" : "profiler.cpu_time_total_ms");

	return is_known(v)
		? v
		: (struct pair){ table_number(sides, 0, key), table_number(sides, 1, key) };
}

static void put_time(struct printed *p, const char *title, struct pair v)
{
	if (is_known(v))
		str_addf(&p->b, "%-25s %15.2f %15.2f\n", title, v.base / NS_PER_MS,
			v.now / NS_PER_MS);
}

static void put_profiler(struct printed *p)
{
	struct pair cuda = times_of(p, true), cpu = times_of(p, false);

	if (!is_known(cuda) && !is_known(cpu))
		return;
	str_adds(&p->b, "\n");
	put_heading(p, "PROFILER COMPARISON");
	str_addf(&p->b, "%-25s %15s %15s\n", "Metric", "Baseline", "Slow");
	printed_rule(p, '-', PROFILER);
	put_time(p, "CUDA time (ms)", cuda);
	put_time(p, "CPU time (ms)", cpu);
}

/* ---- diagnosis ---- */

/* Device work per step: how often, and how many us each; false: not known. */
static bool work_of(struct printed *p, struct pair *n, struct pair *us)
{
	struct pair time = mean_of(p, "device_time");

	*n = mean_of(p, "launches_per_step");
	us->base = time.base / n->base / NS_PER_US;
	us->now = time.now / n->now / NS_PER_US;
	return n->base > 0 && n->now > 0;
}

/* A whole number of at most 15 digits; -1: it is none. */
static double whole_number(struct span s)
{
	double v = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return -1;
		v = v * 10 + (s.p[i] - '0');
	}
	return s.n > 0 && s.n <= 15 ? v : -1;
}

/* What a whole number of the configuration became: below 0 less; 0: it is the same, or not known.
 */
static double config_change(struct printed *p, const char *key)
{
	const struct table *t = printed_table(p, ask_diff, "differences");
	double base, now;

	for (size_t row = 0; row < table_rows(t); row++) {
		if (!span_is(table_word(t, row, "kind"), "config") ||
			!span_is(table_word(t, row, "key"), key))
			continue;
		base = whole_number(table_word(t, row, "base"));
		now = whole_number(table_word(t, row, "new"));
		return base < 0 || now < 0 ? 0 : now - base;
	}
	return 0;
}

/* The documents' reasons why a smaller batch is slower, each where the figure behind it says so,
 * and their advice. */
static void put_smaller_batch(struct printed *p)
{
	struct pair cpu = times_of(p, false), n, us;

	str_addf(&p->b, "The slowdown comes with a smaller batch size:\n");
	if (cpu.now > cpu.base)
		str_addf(&p->b,
			"- More Python/framework overhead per sample: CPU time %.2f ms (was %.2f ms)\n",
			cpu.now / NS_PER_MS, cpu.base / NS_PER_MS);
	if (work_of(p, &n, &us) && us.now < us.base)
		str_addf(&p->b,
			"- Less efficient GPU utilization (smaller kernels): %.1f us each (was %.1f us)\n",
			us.now, us.base);
	if (config_change(p, "gradient_accumulation_steps") > 0)
		str_addf(&p->b,
			"- More dataloader calls per effective batch: more gradient accumulation\n");
}

/* "step_time", also of one of several sources: "log_step_time", "step_time@train.log". */
static bool is_step_time(struct span id)
{
	static const char log[] = "log_", name[] = "step_time";
	size_t n = strlen(name);

	if (span_starts(id, log))
		id = span_from(id, strlen(log));
	return span_starts(id, name) && (id.n == n || id.p[n] == '@');
}

/* By any step time: that of the trace, or of the run's own summary. */
static bool is_slower(struct printed *p)
{
	const struct table *step = printed_table(p, ask_diff, "step");
	const struct table *t = printed_table(p, ask_diff, "metrics");

	return ANY(i, table_rows(t),
		       is_step_time(table_word(t, i, "id")) &&
			       span_is(table_word(t, i, "verdict"), "regression")) ||
		span_is(table_word(step, 0, "verdict"), "regression");
}

/* Nothing where no figure is in both. */
static enum status put_diff(struct printed *p)
{
	printed_about(p, -1);
	if (!printed_table(p, ask_diff, "sides"))
		return OK;
	struct pair memory = pair_of(p, "log_peak_memory");
	put_heading(p, "COMPARISON: Baseline vs Slow Run");
	str_addf(&p->b, "%-25s %15s %15s %15s\n", "Metric", "Baseline", "Slow", "Change");
	printed_rule(p, '-', COMPARISON);
	put_ratio(p, "Step time (s)", pair_of(p, "log_step_time"), NS_PER_S, 4);
	put_ratio(p, "Tokens/sec", pair_of(p, "log_tokens_per_sec"), 1, 0);
	if (is_known(memory))
		str_addf(&p->b, "%-25s %15.0f %15.0f %+14.0f\n", "Memory (MB)",
			memory.base / BYTES_PER_MB, memory.now / BYTES_PER_MB,
			(memory.now - memory.base) / BYTES_PER_MB);
	put_profiler(p);
	/* What the documents always say, a smaller batch size, only where it is so; then the
	 * sentences of `why` and what is measured. */
	bool is_smaller = is_slower(p) && config_change(p, "batch_size") < 0;
	const struct table *why = printed_table(p, ask_diff, "why");
	struct pair n, us;
	str_adds(&p->b, "\n");
	put_heading(p, "DIAGNOSIS");
	if (is_smaller)
		put_smaller_batch(p);
	for (size_t i = 0; i < table_rows(why); i++)
		str_addf(&p->b, "- %s\n", printed_word(p, why, i, "text"));
	if (work_of(p, &n, &us))
		str_addf(&p->b,
			"- %.0f kernels and copies per step (was %.0f), %.1f us each on average (was %.1f us)\n",
			n.now, n.base, us.now, us.base);
	if (is_smaller)
		str_adds(&p->b, "\nFix: Increase batch_size, use gradient accumulation wisely\n");
	return OK;
}

const struct document document_diff = {
	.answer = "diff",
	.ask = ask_diff,
	.call = "traceq diff BASE NEW --format seed",
	.about = "the canary's notebook about a baseline and a slow run, and why it is slow",
	.put = put_diff,
};
