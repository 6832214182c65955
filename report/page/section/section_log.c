/*
 * Sections about what stands beside a trace, or without one: logs of metrics, stages timed by the
 * program, samples of nvidia-smi, tables of operations.
 */
#include <math.h>

#include "report/page/section/section.h"

enum { KEYS = 20, ROWS = 8 };

/* "rewards (format)" of a key with a group. */
static const char *key_of(struct page *d, const struct table *t, size_t row)
{
	const char *key = section_word(d, t, row, "key"), *group = section_word(d, t, row, "group");

	return *group ? page_printf(d, "%s (%s)", key, group) : key;
}

static const char *change_of(struct page *d, const struct table *t, size_t row)
{
	if (!page_has(t, row, "change_ratio"))
		return "-";
	return page_printf(d, "%s (%s to %s)", page_value(d, t, row, "change_ratio"),
		page_value(d, t, row, "change_lo_ratio"), page_value(d, t, row, "change_hi_ratio"));
}

/* What nvidia-smi samples has a section of its own. */
static bool is_sampled(const struct table *t, size_t row)
{
	return span_starts(table_word(t, row, "kind"), "smi_");
}

static size_t count_own(const struct table *keys)
{
	size_t n = 0, i;

	for (i = 0; i < table_rows(keys); i++)
		n += !is_sampled(keys, i);
	return n;
}

/* The keys of the first input that has others than samples of nvidia-smi; NULL: none has. */
static const struct table *own_keys(const struct answers *in)
{
	const struct table *t;
	size_t i;

	for (i = 0; (t = answers_table(in, ask_metrics, "keys", i)); i++)
		if (count_own(t) > 0)
			return t;
	return NULL;
}

/* What the same input's table of that id says. */
static const struct table *beside(
	const struct answers *in, const struct table *keys, const char *id)
{
	const struct table *t = NULL;
	size_t i;

	for (i = 0; keys && (t = answers_table(in, ask_metrics, id, i)); i++)
		if (t->input == keys->input && table_rows(t) > 0)
			return t;
	return t;
}

static void put_keys(struct page *d, const struct table *t)
{
	static const struct page_column col[] = { { "metric", false, true },
		{ "last", true, false }, { "mean", true, false }, { "p95", true, false },
		{ "max", true, false }, { "trend", false, false }, { "change, 95%", true, false } };
	struct page_block *b = page_table(
		d, "mean is of the last window; p95 and max are of all values", col, COUNT_OF(col));
	size_t n = count_own(t), shown = 0, i;

	for (i = 0; shown < n && shown < KEYS; i++) {
		if (is_sampled(t, i))
			continue;
		shown++;
		page_row(d, b, TONE_NONE);
		page_cell(d, b, 0, "%s", key_of(d, t, i));
		page_cell(d, b, 1, "%s", page_value(d, t, i, "last"));
		page_cell(d, b, 2, "%s", page_value(d, t, i, "window_mean"));
		page_cell(d, b, 3, "%s", page_value(d, t, i, "p95"));
		page_cell(d, b, 4, "%s", page_value(d, t, i, "max"));
		page_cell(d, b, 5, "%s", section_word(d, t, i, "trend"));
		page_cell(d, b, 6, "%s", change_of(d, t, i));
	}
	if (n > shown)
		b->footnote = page_printf(
			d, "%zu more metrics; 'traceq metrics' lists all of them", n - shown);
}

static enum page_tone tone_of(struct span severity)
{
	return span_is(severity, "CRIT")    ? TONE_BAD
		: span_is(severity, "WARN") ? TONE_WARN
					    : TONE_NONE;
}

static void put_findings(struct page *d, const struct table *t)
{
	size_t i;

	for (i = 0; i < table_rows(t); i++) {
		const char *action = section_word(d, t, i, "action");

		if (span_is(table_word(t, i, "severity"), "ok"))
			continue;
		page_item(d, tone_of(table_word(t, i, "severity")), "%s %s, %s: %s%s%s",
			section_word(d, t, i, "rule"), section_word(d, t, i, "finding"),
			section_word(d, t, i, "key"), section_word(d, t, i, "text"),
			*action ? "; " : "", action);
	}
}

static void write_metrics(const struct answers *in, struct page *d)
{
	static const struct page_pick rate[] = { { "what", "throughput" }, { "value", "value" },
		{ "how", "how" }, { "source", "from" } };
	static const struct page_pick stage[] = { { "stage", "stage" }, { "calls", "calls" },
		{ "mean_ns", "mean" }, { "total_ns", "total" }, { "share_ratio", "share" } };
	const struct table *keys = own_keys(in), *log = beside(in, keys, "log");
	const struct table *stages = answers_rows(in, ask_metrics, "stages");
	const struct table *rates = answers_rows(in, ask_metrics, "throughput");

	if (!keys && !stages)
		return;
	page_heading(d, "Metrics of the run");
	if (log && count_own(keys) == table_rows(keys))
		page_text(d,
			"%s values of %s metrics, %s more at the start set aside as warm-up; %s "
			"NaN, %s infinite.",
			page_value(d, log, 0, "values"), page_value(d, log, 0, "keys"),
			page_value(d, log, 0, "warmup"), page_value(d, log, 0, "nan"),
			page_value(d, log, 0, "inf"));
	put_findings(d, beside(in, keys, "findings"));
	if (keys)
		put_keys(d, keys);
	if (rates)
		page_pick_table(d, NULL, rates, rate, COUNT_OF(rate), ROWS);
	if (stages)
		page_pick_table(d, "stages as the program timed them", stages, stage,
			COUNT_OF(stage), ROWS);
}

const struct section section_metrics = {
	.id = "metrics",
	.ask = { ask_metrics, ask_smi },
	.chart = { "metric-series", "mem-leak", "score-dist" },
	.write = write_metrics,
};

static void write_scores(const struct answers *in, struct page *d)
{
	static const struct page_pick share[] = { { "score", "score" }, { "count", "how many" },
		{ "ratio", "share" }, { "lo_ratio", "from" }, { "hi_ratio", "to" } };
	const struct table *t = answers_rows(in, ask_metrics, "score_shares");

	if (!t)
		return;
	page_heading(d, "Scores");
	page_pick_table(d, "share of the valid scores, with its 95% interval", t, share,
		COUNT_OF(share), KEYS);
}

const struct section section_scores = {
	.id = "scores",
	.ask = { ask_metrics },
	.write = write_scores,
};

/* What the run took, where samples were taken while it was recorded. */
static void write_energy(const struct answers *in, struct page *d)
{
	static const struct page_pick device[] = { { "device", "device" },
		{ "energy_nj", "energy" }, { "error_nj", "+-" }, { "work_nj", "while it worked" },
		{ "idle_nj", "while idle" }, { "mean_w", "mean W" }, { "step_nj", "a step" },
		{ "token_nj", "a token" }, { "covered_ratio", "covered" } };
	static const struct page_pick part[] = { { "device", "device" }, { "what", "what ran" },
		{ "energy_nj", "energy" }, { "error_nj", "+-" }, { "energy_ratio", "share" },
		{ "time_ns", "time" } };
	const struct table *t = answers_rows(in, ask_smi, "energy");
	const struct table *parts = answers_rows(in, ask_smi, "energy_parts");

	if (!t || !parts)
		return;
	page_heading(d, "Energy");
	page_pick_table(d, "from the first step to the last one", t, device, COUNT_OF(device), 0);
	page_pick_table(d, "by what ran", parts, part, COUNT_OF(part), 0);
	page_text(d,
		"The power between two samples is the line through them; what ran within one "
		"interval is told apart by its time only, and +- is how far that may be off.");
}

static void write_gpus(const struct answers *in, struct page *d)
{
	static const struct page_pick gpu[] = { { "gpu", "GPU" }, { "name", "name" },
		{ "utilization_ratio", "utilization" }, { "utilization_p10_ratio", "p10" },
		{ "idle_ratio", "idle" }, { "peak_used_bytes", "peak memory" },
		{ "peak_ratio", "of GPU" }, { "temperature_max_c", "max C" },
		{ "power_mean_w", "mean W" }, { "verdict", "verdict" } };
	const struct table *t = answers_rows(in, ask_smi, "gpus");

	if (!t)
		return;
	page_heading(d, "GPUs as nvidia-smi saw them");
	page_pick_table(d, NULL, t, gpu, COUNT_OF(gpu), 0);
	page_text(d,
		"Utilization is the share of time with at least one kernel running, not how "
		"full the GPU was.");
	write_energy(in, d);
}

const struct section section_gpus = {
	.id = "gpus",
	.ask = { ask_smi },
	.chart = { "smi" },
	.write = write_gpus,
};
