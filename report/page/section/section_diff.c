/* Sections about a comparison: the verdict, what differs, where the change is. */
#include "report/page/section/section.h"

static const char ask_diff[] = "diff";

enum { ROWS = 12 };

static void write_verdict(const struct answers *in, struct page *d)
{
	static const struct section_table sides = SECTION_TABLE(ask_diff, "sides", NULL, 0,
		{ "side", "side" }, { "label", "what" }, { "runs", "runs" }, { "ranks", "ranks" },
		{ "steps", "steps" }, { "step_ns", "step" }, { "gpu", "GPU" });
	const struct table *why = answers_rows(in, ask_diff, "why");
	const struct table *step = answers_rows(in, ask_diff, "step");

	if (!why && !step && !answers_rows(in, ask_diff, sides.id))
		return;
	page_heading(d, "Answer");
	for (size_t i = 0; i < table_rows(why); i++)
		page_item(d,
			i == 0 && step ? section_tone(table_word(step, 0, "verdict")) : TONE_NONE,
			"%s", section_word(d, why, i, "text"));
	section_put_tables(in, d, &sides, 1);
}

const struct section section_verdict = {
	.id = "verdict",
	.ask = { ask_diff },
	.chart = { "compare-step" },
	.write = write_verdict,
};

const struct section section_change = {
	.id = "change",
	.ask = { ask_diff },
	.chart = { "compare-ops" },
	.heading = "Where the change is",
	.table = { SECTION_TABLE(ask_diff, "ledger", "parts of the step; they add up to its change",
			   0, { "part", "per step" }, { "base_ns", "base" }, { "new_ns", "new" },
			   { "delta_ns", "delta" }, { "share_ratio", "of the change" }),
		SECTION_TABLE(ask_diff, "ranks", "ranks that changed most", ROWS,
			{ "rank", "rank" }, { "base_ns", "base" }, { "new_ns", "new" },
			{ "delta_ns", "delta" }, { "base_slowest_ratio", "slowest in base" },
			{ "new_slowest_ratio", "in new" }),
		SECTION_TABLE(ask_diff, "ops", "GPU work that changed most, per step", ROWS,
			{ "delta_ns", "delta" }, { "base_ns", "base" }, { "new_ns", "new" },
			{ "calls", "calls" }, { "by_calls_ns", "by calls" },
			{ "by_duration_ns", "by duration" }, { "status", "status" },
			{ "what", "what" }) },
};

static void write_figures(const struct answers *in, struct page *d)
{
	static const struct page_column col[] = { { "metric", false, false },
		{ "base", true, false }, { "new", true, false }, { "change", true, false },
		{ "95% interval", true, false }, { "verdict", false, false } };
	const struct table *t = answers_rows(in, ask_diff, "metrics");

	if (!t)
		return;
	page_heading(d, "Metric by metric");
	struct page_block *b = page_table(d, NULL, col, COUNT_OF(col));
	for (size_t i = 0; i < table_rows(t); i++)
		PAGE_ROW(d, b, section_tone(table_word(t, i, "verdict")),
			section_word(d, t, i, "metric"), page_value(d, t, i, "base"),
			page_value(d, t, i, "new"), page_value(d, t, i, "change_ratio"),
			page_has(t, i, "change_low_ratio")
				? page_printf(d, "%s to %s",
					  page_value(d, t, i, "change_low_ratio"),
					  page_value(d, t, i, "change_high_ratio"))
				: "",
			section_word(d, t, i, "verdict"));
}

const struct section section_figures = {
	.id = "figures",
	.ask = { ask_diff },
	.write = write_figures,
};

const struct section section_differences = {
	.id = "differences",
	.ask = { ask_diff },
	.heading = "What is not the same",
	.table = { SECTION_TABLE(ask_diff, "differences", NULL, 0, { "kind", "what" },
		{ "key", "key" }, { "base", "base" }, { "new", "new" }) },
};

/* ---- a history of runs ---- */

static const char ask_history[] = "gate --history";

static enum page_tone tone_of(struct span state)
{
	if (span_has_nocase(state, "fail"))
		return TONE_BAD;
	if (span_has_nocase(state, "warn"))
		return TONE_WARN;
	return span_has_nocase(state, "pass") ? TONE_GOOD : TONE_UNKNOWN;
}

/* "FAIL" of "gate FAIL". */
static const char *word_of_verdict(struct page *d, const struct table *t)
{
	struct span s = table_word(t, 0, "verdict");
	size_t n = s.n;

	while (n > 0 && s.p[n - 1] != ' ')
		n--;
	return page_printf(d, "%.*s", (int)(s.n - n), s.p + n);
}

/* The first line is the verdict, with the figure that decides it; then the others that are odd. */
static void write_tonight(const struct answers *in, struct page *d)
{
	const struct table *verdict = answers_rows(in, ask_history, "verdict");
	const struct table *t = answers_rows(in, ask_history, "newest");

	if (!verdict || !t)
		return;
	page_heading(d, "Verdict");
	page_item(d, tone_of(table_word(verdict, 0, "verdict")), "%s  %s",
		word_of_verdict(d, verdict), section_word(d, t, 0, "message"));
	for (size_t i = 1; i < table_rows(t); i++) {
		enum page_tone tone = tone_of(table_word(t, i, "state"));

		if (tone == TONE_BAD || tone == TONE_WARN)
			page_item(d, tone, "%s", section_word(d, t, i, "message"));
	}
	page_text(d, "%s; %s", section_word(d, verdict, 0, "summary"),
		section_word(d, verdict, 0, "runs"));
}

const struct section section_tonight = {
	.id = "tonight",
	.ask = { ask_history },
	.chart = { "history" },
	.write = write_tonight,
};

/* A figure that all runs have the same value of, the newest too. */
static bool is_constant(const struct table *levels, const struct table *newest, size_t row)
{
	struct span check = table_word(newest, row, "check");
	double value = table_number(newest, row, "value");
	size_t at;

	if (tone_of(table_word(newest, row, "state")) != TONE_GOOD ||
		!table_find_word(levels, "check", check, &at))
		return false;
	double cv = table_number(levels, at, "cv_ratio");
	return number_same(value, table_number(newest, row, "median")) && (isnan(cv) || cv == 0) &&
		table_number(levels, at, "runs") > 1;
}

/* "the same in all runs: epsilon 1e-08, nan_steps 0" */
static void name_constants(struct page *d, const struct table *levels, const struct table *t)
{
	SCOPED_STR b = { 0 };

	for (size_t i = 0; i < table_rows(t); i++)
		if (is_constant(levels, t, i))
			str_addf(&b, "%s%s %s", b.n ? ", " : "", section_word(d, t, i, "check"),
				page_value(d, t, i, "value"));
	if (b.n)
		page_text(d, "The same in all runs: %.*s.", (int)b.n, b.s);
}

static void write_newest(const struct answers *in, struct page *d)
{
	static const struct page_column col[] = { { "", false, false }, { "figure", false, false },
		{ "newest run", false, false }, { "value", true, false }, { "level", true, false },
		{ "change", true, false }, { "z", true, false }, { "", false, true } };
	const struct table *t = answers_rows(in, ask_history, "newest");
	const struct table *levels = answers_rows(in, ask_history, "segments");

	if (!t)
		return;
	page_heading(d, "Newest run");
	struct page_block *b = page_table(d, NULL, col, COUNT_OF(col));
	for (size_t i = 0; i < table_rows(t); i++)
		if (!is_constant(levels, t, i))
			PAGE_ROW(d, b, tone_of(table_word(t, i, "state")),
				section_word(d, t, i, "state"), section_word(d, t, i, "check"),
				section_word(d, t, i, "run"), page_value(d, t, i, "value"),
				page_value(d, t, i, "median"), section_word(d, t, i, "change"),
				page_value(d, t, i, "z"), section_word(d, t, i, "since"));
	name_constants(d, levels, t);
}

const struct section section_newest = {
	.id = "newest",
	.ask = { ask_history },
	.write = write_newest,
};

/* Whether a figure has changed its level, which is what is told apart here. */
static bool has_changed(const struct table *levels, size_t row)
{
	struct span check = table_word(levels, row, "check");

	return SUM(size_t, i, table_rows(levels), span_eq(table_word(levels, i, "check"), check)) >
		1;
}

/* Constants are named elsewhere. */
static bool is_shown(const struct table *levels, const struct table *newest, size_t row)
{
	size_t at;

	return !newest ||
		!table_find_word(newest, "check", table_word(levels, row, "check"), &at) ||
		!is_constant(levels, newest, at);
}

static void put_level(struct page *d, struct page_block *b, const struct table *t, size_t i)
{
	static const char *const key[] = { "check", "from", "to", "runs", "median", "cv_ratio",
		"change", "p", "commit" };
	const char *text[COUNT_OF(key)];

	for (size_t k = 0; k < COUNT_OF(key); k++)
		text[k] = page_value(d, t, i, key[k]);
	page_row(d, b, TONE_NONE, text, COUNT_OF(key));
}

/* Levels of figures that have several, those first that changed; the others in a table below. */
static void write_levels(const struct answers *in, struct page *d)
{
	static const struct page_column col[] = { { "figure", false, false },
		{ "from", false, false }, { "to", false, false }, { "runs", true, false },
		{ "median", true, false }, { "CV", true, false }, { "change", true, false },
		{ "p", true, false }, { "commit", false, false } };
	const struct table *t = answers_rows(in, ask_history, "segments");
	const struct table *newest = answers_rows(in, ask_history, "newest");

	if (!t)
		return;
	page_heading(d, "Levels");
	if (!ANY(i, table_rows(t), is_shown(t, newest, i))) {
		page_text(d, "No figure has moved.");
		return;
	}
	struct page_block *b = page_table(d, NULL, col, COUNT_OF(col));
	for (unsigned pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < table_rows(t); i++)
			if (has_changed(t, i) == (pass == 0) && is_shown(t, newest, i))
				put_level(d, b, t, i);
}

const struct section section_levels = {
	.id = "levels",
	.ask = { ask_history },
	.write = write_levels,
};
