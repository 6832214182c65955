/*
 * Sections about a history of runs: is the newest one off, and when did levels change.
 */
#include <math.h>

#include "report/page/section/section.h"

static const char ask_history[] = "gate --history";

static enum page_tone tone_of(struct span state)
{
	if (span_has_nocase(state, "fail"))
		return TONE_BAD;
	if (span_has_nocase(state, "warn"))
		return TONE_WARN;
	return span_has_nocase(state, "pass") ? TONE_GOOD : TONE_UNKNOWN;
}

static void write_newest(const struct answers *in, struct page *d)
{
	static const struct page_column col[] = { { "figure", false, false },
		{ "newest run", false, false }, { "value", true, false }, { "level", true, false },
		{ "change", true, false }, { "z", true, false }, { "", false, false } };
	const struct table *t = answers_rows(in, ask_history, "newest");
	struct page_block *b;
	size_t i;

	if (!t)
		return;
	page_heading(d, "Newest run");
	b = page_table(d, NULL, col, COUNT_OF(col));
	for (i = 0; i < table_rows(t); i++) {
		page_row(d, b, tone_of(table_word(t, i, "state")));
		page_cell(d, b, 0, "%s", section_word(d, t, i, "check"));
		page_cell(d, b, 1, "%s", section_word(d, t, i, "run"));
		page_cell(d, b, 2, "%s", page_value(d, t, i, "value"));
		page_cell(d, b, 3, "%s", page_value(d, t, i, "median"));
		page_cell(d, b, 4, "%s", section_word(d, t, i, "change"));
		page_cell(d, b, 5, "%s", page_value(d, t, i, "z"));
		page_cell(d, b, 6, "%s", section_word(d, t, i, "state"));
	}
}

const struct section section_newest = {
	.id = "newest",
	.ask = { ask_history },
	.write = write_newest,
};

static void write_levels(const struct answers *in, struct page *d)
{
	static const struct page_pick pick[] = { { "check", "figure" }, { "from", "from" },
		{ "to", "to" }, { "runs", "runs" }, { "median", "median" }, { "cv_ratio", "CV" },
		{ "change_ratio", "change" }, { "p", "p" }, { "commit", "commit" } };
	const struct table *t = answers_rows(in, ask_history, "segments");

	if (!t)
		return;
	page_heading(d, "Levels");
	page_pick_table(d, NULL, t, pick, COUNT_OF(pick), 0);
}

const struct section section_levels = {
	.id = "levels",
	.ask = { ask_history },
	.chart = { "history" },
	.write = write_levels,
};
