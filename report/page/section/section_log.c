/* Sections about what stands beside a trace, or without one: logs of metrics, stages timed by the
 * program, samples of nvidia-smi, tables of operations. */
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
	return SUM(size_t, i, table_rows(keys), !is_sampled(keys, i));
}

/* The keys of the first input that has others than samples of nvidia-smi; NULL: none has. */
static const struct table *own_keys(const struct answers *in)
{
	const struct table *t;

	for (size_t i = 0; (t = answers_table(in, ask_metrics, "keys", i)); i++)
		if (count_own(t) > 0)
			return t;
	return NULL;
}

/* What the same input's table of that id says. */
static const struct table *beside(
	const struct answers *in, const struct table *keys, const char *id)
{
	const struct table *t = NULL;

	for (size_t i = 0; keys && (t = answers_table(in, ask_metrics, id, i)); i++)
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
	size_t n = count_own(t), shown = 0;

	for (size_t i = 0; shown < n && shown < KEYS; i++) {
		if (is_sampled(t, i))
			continue;
		shown++;
		PAGE_ROW(d, b, TONE_NONE, key_of(d, t, i), page_value(d, t, i, "last"),
			page_value(d, t, i, "window_mean"), page_value(d, t, i, "p95"),
			page_value(d, t, i, "max"), section_word(d, t, i, "trend"),
			change_of(d, t, i));
	}
	if (n > shown)
		b->footnote = page_printf(
			d, "%zu more metrics; 'traceq metrics' lists all of them", n - shown);
}

static void put_findings(struct page *d, const struct table *t)
{
	for (size_t i = 0; i < table_rows(t); i++) {
		const char *action = section_word(d, t, i, "action");

		if (span_is(table_word(t, i, "severity"), "ok"))
			continue;
		page_item(d, section_tone(table_word(t, i, "severity")), "%s %s, %s: %s%s%s",
			section_word(d, t, i, "rule"), section_word(d, t, i, "finding"),
			section_word(d, t, i, "key"), section_word(d, t, i, "text"),
			*action ? "; " : "", action);
	}
}

static void write_metrics(const struct answers *in, struct page *d)
{
	static const struct section_table tables[] = {
		SECTION_TABLE(ask_metrics, "throughput", NULL, ROWS, { "what", "throughput" },
			{ "value", "value" }, { "how", "how" }, { "source", "from" }),
		SECTION_TABLE(ask_metrics, "stages", "stages as the program timed them", ROWS,
			{ "stage", "stage" }, { "calls", "calls" }, { "mean_ns", "mean" },
			{ "total_ns", "total" }, { "share_ratio", "share" }),
	};
	const struct table *keys = own_keys(in), *log = beside(in, keys, "log");

	if (!keys && !answers_rows(in, ask_metrics, "stages"))
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
	section_put_tables(in, d, tables, COUNT_OF(tables));
}

const struct section section_metrics = {
	.id = "metrics",
	.ask = { ask_metrics, ask_smi },
	.chart = { "metric-series", "mem-leak", "score-dist" },
	.write = write_metrics,
};

const struct section section_scores = {
	.id = "scores",
	.ask = { ask_metrics },
	.heading = "Scores",
	.table = { SECTION_TABLE(ask_metrics, "score_shares",
		"share of the valid scores, with its 95% interval", KEYS, { "score", "score" },
		{ "count", "how many" }, { "ratio", "share" }, { "lo_ratio", "from" },
		{ "hi_ratio", "to" }) },
};

static void write_utilisation(const struct answers *in, struct page *d)
{
	page_text(d,
		"Utilization is the share of time with at least one kernel running, not how "
		"full the GPU was.");
	/* What the run took, where samples were taken while it was recorded. */
	static const struct section_table energy[] = {
		SECTION_TABLE(ask_smi, "energy", "from the first step to the last one", 0,
			{ "device", "device" }, { "energy_nj", "energy" }, { "error_nj", "+-" },
			{ "work_nj", "while it worked" }, { "idle_nj", "while idle" },
			{ "mean_w", "mean W" }, { "step_nj", "a step" }, { "token_nj", "a token" },
			{ "covered_ratio", "covered" }),
		SECTION_TABLE(ask_smi, "energy_parts", "by what ran", 0, { "device", "device" },
			{ "what", "what ran" }, { "energy_nj", "energy" }, { "error_nj", "+-" },
			{ "energy_ratio", "share" }, { "time_ns", "time" }),
	};
	if (!answers_rows(in, ask_smi, "energy") || !answers_rows(in, ask_smi, "energy_parts"))
		return;
	page_heading(d, "Energy");
	section_put_tables(in, d, energy, COUNT_OF(energy));
	page_text(d,
		"The power between two samples is the line through them; what ran within one "
		"interval is told apart by its time only, and +- is how far that may be off.");
}

const struct section section_gpus = {
	.id = "gpus",
	.ask = { ask_smi },
	.chart = { "smi" },
	.heading = "GPUs as nvidia-smi saw them",
	.table = { SECTION_TABLE(ask_smi, "gpus", NULL, 0, { "gpu", "GPU" }, { "name", "name" },
		{ "utilization_ratio", "utilization" }, { "utilization_p10_ratio", "p10" },
		{ "idle_ratio", "idle" }, { "peak_used_bytes", "peak memory" },
		{ "peak_ratio", "of GPU" }, { "temperature_max_c", "max C" },
		{ "power_mean_w", "mean W" }, { "verdict", "verdict" }) },
	.write = write_utilisation,
};
