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

/* "FAIL" of "gate FAIL". */
static const char *word_of_verdict(struct page *d, const struct table *t)
{
	struct span s = table_word(t, 0, "verdict");
	size_t i = s.n;

	while (i > 0 && s.p[i - 1] != ' ')
		i--;
	return page_printf(d, "%.*s", (int)(s.n - i), s.p + i);
}

/* What is said of a row: all of it where it is odd, else how it stands. */
static const char *sentence(struct page *d, const struct table *t, size_t row)
{
	return section_word(d, t, row, "message");
}

/* The first line is the verdict, with the figure that decides it; then the others that are odd. */
static void write_tonight(const struct answers *in, struct page *d)
{
	const struct table *verdict = answers_rows(in, ask_history, "verdict");
	const struct table *t = answers_rows(in, ask_history, "newest");
	size_t i;

	if (!verdict || !t)
		return;
	page_heading(d, "Verdict");
	page_item(d, tone_of(table_word(verdict, 0, "verdict")), "%s  %s",
		word_of_verdict(d, verdict), sentence(d, t, 0));
	for (i = 1; i < table_rows(t); i++) {
		enum page_tone tone = tone_of(table_word(t, i, "state"));

		if (tone == TONE_BAD || tone == TONE_WARN)
			page_item(d, tone, "%s", sentence(d, t, i));
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

static void write_newest(const struct answers *in, struct page *d)
{
	static const struct page_column col[] = { { "", false, false }, { "figure", false, false },
		{ "newest run", false, false }, { "value", true, false }, { "level", true, false },
		{ "change", true, false }, { "z", true, false }, { "", false, true } };
	const struct table *t = answers_rows(in, ask_history, "newest");
	struct page_block *b;
	size_t i;

	if (!t)
		return;
	page_heading(d, "Newest run");
	b = page_table(d, NULL, col, COUNT_OF(col));
	for (i = 0; i < table_rows(t); i++) {
		page_row(d, b, tone_of(table_word(t, i, "state")));
		page_cell(d, b, 0, "%s", section_word(d, t, i, "state"));
		page_cell(d, b, 1, "%s", section_word(d, t, i, "check"));
		page_cell(d, b, 2, "%s", section_word(d, t, i, "run"));
		page_cell(d, b, 3, "%s", page_value(d, t, i, "value"));
		page_cell(d, b, 4, "%s", page_value(d, t, i, "median"));
		page_cell(d, b, 5, "%s", section_word(d, t, i, "change"));
		page_cell(d, b, 6, "%s", page_value(d, t, i, "z"));
		page_cell(d, b, 7, "%s", section_word(d, t, i, "since"));
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
		{ "change", "change" }, { "p", "p" }, { "commit", "commit" } };
	const struct table *t = answers_rows(in, ask_history, "segments");

	if (!t)
		return;
	page_heading(d, "Levels");
	page_pick_table(d, NULL, t, pick, COUNT_OF(pick), 0);
}

const struct section section_levels = {
	.id = "levels",
	.ask = { ask_history },
	.write = write_levels,
};
