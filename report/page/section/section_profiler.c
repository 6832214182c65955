/* Sections about what a profiler left beside a trace or without one: the dashboard of the documents
 * (artifacts, how it went, stages), and functions of a sampled profile. */
#include "report/documents/week1.h"

enum { ROWS = 10, WANTED = 4 };

/* ---- which artifacts there are ---- */

static bool profiler_is_there(const struct answers *in)
{
	const struct table *t = answers_rows(in, ask_info, "artifacts");

	return ANY(i, table_rows(t),
		span_in(table_word(t, i, "kind"),
			"stage_times|memory_stats|profiler_summary|profiler_report|op_csv"));
}

/* The row of `check` about one of the four artifacts: trace.json, ... */
static bool artifact_row(
	const struct answers *in, const char *name, const struct table **t, size_t *row)
{
	*t = answers_rows(in, ask_check, "run");
	return table_find_word(*t, "artifact", span_of(name), row);
}

static const char *const wanted[WANTED] = { "trace.json", "op_stats.csv", "stage_times.json",
	"memory_stats.json" };

/* How many of the four there are; *has_trace: trace.json in the folder itself. */
static size_t profiler_artifacts(const struct answers *in, bool *has_trace)
{
	const struct table *t;
	size_t n = 0, row;

	*has_trace = false;
	for (size_t i = 0; i < WANTED; i++) {
		if (!artifact_row(in, wanted[i], &t, &row) ||
			!span_is(table_word(t, row, "verdict"), "ok"))
			continue;
		n++;
		*has_trace |= i == 0 && span_is(table_word(t, row, "file"), wanted[i]);
	}
	return n;
}

/* ---- the dashboard ---- */

static void put_artifacts(const struct answers *in, struct page *d)
{
	static const struct page_column col[] = { { "artifact", false, false },
		{ "", false, false }, { "file", false, true } };
	struct page_block *b = page_table(d, NULL, col, COUNT_OF(col));
	const struct table *t;
	size_t row;

	for (size_t i = 0; i < WANTED; i++) {
		if (!artifact_row(in, wanted[i], &t, &row))
			continue;
		bool is_there = span_is(table_word(t, row, "verdict"), "ok");
		PAGE_ROW(d, b, is_there ? TONE_GOOD : TONE_WARN, wanted[i],
			is_there ? "available" : "missing", section_word(d, t, row, "file"));
	}
}

/* Peak bytes of "cuda" or "cpu", as its statistics say; NaN: they do not. */
static double profiler_peak(const struct answers *in, const char *device)
{
	static const char *const keys[] = { "peak_memory_usage.%s",
		"memory_stats.peak_memory_usage.%s", "memory_summary.peak_%s_memory",
		"summary.memory_summary.peak_%s_memory" };
	double v = NAN;

	for (size_t i = 0; i < COUNT_OF(keys) && isnan(v); i++) {
		const char *at = strstr(keys[i], "%s");
		SCOPED_STR b = { 0 };

		str_add(&b, keys[i], (size_t)(at - keys[i]));
		str_addf(&b, "%s%s", device, at + 2);
		v = week1_number(in, b.s);
	}
	return v;
}

/* Rows of op_stats.csv and its like: one an event; NaN: there is none. */
static double profiler_operations(const struct answers *in)
{
	const struct table *t = answers_rows(in, ask_info, "artifacts");

	return FIND_VALUE(i, table_rows(t),
		span_in(table_word(t, i, "kind"), "op_csv|profiler_report"),
		table_number(t, i, "rows"), NAN);
}

static void put_summary(const struct answers *in, struct page *d)
{
	double steps = week1_number(in, "total_steps");
	double peak = profiler_peak(in, "cuda"), host = profiler_peak(in, "cpu");
	double operations = profiler_operations(in);
	bool has_trace;
	size_t n = profiler_artifacts(in, &has_trace);

	if (isnan(steps))
		steps = week1_number(in, "profiler_manager.total_steps");
	page_fact(d, "profiler artifacts", "%zu/%d", n, WANTED);
	page_fact(d, "profiling status", "%s",
		has_trace ? "Success: there is a trace.json in the folder itself"
			  : "Failed, as the guides count it: no trace.json in the folder itself");
	if (!isnan(steps))
		page_fact(d, "total steps", "%s", week1_fixed(&d->mem, steps, 0, true));
	if (!isnan(peak) || !isnan(host))
		page_fact(d, "peak memory", "CUDA %s, CPU %s; of one event, as memory_stats says",
			section_bytes(d, peak), section_bytes(d, host));
	if (!isnan(operations))
		page_fact(d, "total operations", "%s events",
			week1_fixed(&d->mem, operations, 0, true));
}

/* "forward" of "stage_times.forward"; NULL: the key is none of a stage. */
static const char *stage_of(struct page *d, const struct table *t, size_t row)
{
	static const char prefix[] = "stage_times.";
	const char *key = section_word(d, t, row, "key");

	return strncmp(key, prefix, sizeof(prefix) - 1) == 0 ? key + sizeof(prefix) - 1 : NULL;
}

/* Whether stages of several files stand in the table, so that it has to say which. */
static bool has_files(struct page *d, const struct table *t)
{
	struct span first = { "", 0 };

	for (size_t i = 0; i < table_rows(t); i++) {
		if (!stage_of(d, t, i))
			continue;
		if (first.n && !span_eq(first, table_word(t, i, "file")))
			return true;
		first = table_word(t, i, "file");
	}
	return false;
}

static void put_stages(const struct answers *in, struct page *d)
{
	static const struct page_column col[] = { { "stage", false, true },
		{ "times", true, false }, { "shortest", true, false }, { "p25", true, false },
		{ "median", true, false }, { "p75", true, false }, { "longest", true, false },
		{ "mean", true, false }, { "file", false, true } };
	static const char *const keys[] = { "count", "min", "p25", "median", "p75", "max", "mean",
		"file" };
	const struct table *t = answers_rows(in, ask_metrics, "keys");
	const char *text[COUNT_OF(col)];
	size_t n = COUNT_OF(keys) - !has_files(d, t);
	struct page_block *b = NULL;

	for (size_t i = 0; i < table_rows(t); i++) {
		const char *stage = stage_of(d, t, i);

		if (!stage)
			continue;
		if (!b)
			b = page_table(d, "stage time distribution", col, n + 1);
		text[0] = stage;
		for (size_t k = 0; k < n; k++)
			text[k + 1] = strcmp(keys[k], "file") == 0 ? section_word(d, t, i, keys[k])
								   : page_value(d, t, i, keys[k]);
		page_row(d, b, TONE_NONE, text, n + 1);
	}
}

static void write_profiler(const struct answers *in, struct page *d)
{
	const struct table *t, *keys = answers_rows(in, ask_metrics, "keys");
	size_t row;

	if (!profiler_is_there(in))
		return;
	bool is_folder = artifact_row(in, wanted[0], &t, &row);
	if (!is_folder && !ANY(i, table_rows(keys), stage_of(d, keys, i)))
		return;
	page_heading(d, "Profiler artifacts");
	if (is_folder) {
		put_summary(in, d);
		put_artifacts(in, d);
	}
	put_stages(in, d);
}

const struct section section_profiler = {
	.id = "profiler",
	.ask = { ask_info, ask_check, ask_metrics },
	.chart = { "stage-bar", "stage-range" },
	.write = write_profiler,
};

/* ---- a sampled profile ---- */

static void write_sampled(const struct answers *in, struct page *d)
{
	static const struct page_picks samples = { NULL, ROWS,
		.pick = { { "self_samples", "samples" }, { "self_ns", "time" },
			{ "self_bytes", "bytes" }, { "self_ratio", "share" },
			{ "total_samples", "with callees" }, { "total_ns", "with callees" },
			{ "total_bytes", "with callees" }, { "total_ratio", "share" },
			{ "name", "function" } } };
	const struct table *t;

	for (size_t i = 0; (t = answers_table(in, ask_stacks, "sampled_functions", i)); i++) {
		if (i == 0)
			page_heading(d, "Functions of the sampled profile");
		page_pick_table(d, t, &samples);
	}
}

const struct section section_sampled = {
	.id = "sampled",
	.ask = { ask_stacks },
	.chart = { "flame-sampled" },
	.write = write_sampled,
};
