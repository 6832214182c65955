/*
 * Sections about a comparison: the verdict, what differs, where the change is.
 */
#include "report/page/section/section.h"

static const char ask_diff[] = "diff";

enum { ROWS = 12 };

static void write_verdict(const struct answers *in, struct page *d)
{
	static const struct section_table sides = { ask_diff, "sides",
		{ NULL, 0,
			{ { "side", "side" }, { "label", "what" }, { "runs", "runs" },
				{ "ranks", "ranks" }, { "steps", "steps" }, { "step_ns", "step" },
				{ "gpu", "GPU" } } } };
	const struct table *why = answers_rows(in, ask_diff, "why");
	const struct table *step = answers_rows(in, ask_diff, "step");
	size_t i;

	if (!why && !step && !answers_rows(in, ask_diff, sides.id))
		return;
	page_heading(d, "Answer");
	for (i = 0; i < table_rows(why); i++)
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
	.table = { { ask_diff, "ledger",
			   { "parts of the step; they add up to its change", 0,
				   { { "part", "per step" }, { "base_ns", "base" },
					   { "new_ns", "new" }, { "delta_ns", "delta" },
					   { "share_ratio", "of the change" } } } },
		{ ask_diff, "ranks",
			{ "ranks that changed most", ROWS,
				{ { "rank", "rank" }, { "base_ns", "base" }, { "new_ns", "new" },
					{ "delta_ns", "delta" },
					{ "base_slowest_ratio", "slowest in base" },
					{ "new_slowest_ratio", "in new" } } } },
		{ ask_diff, "ops",
			{ "device work that changed most, per step", ROWS,
				{ { "delta_ns", "delta" }, { "base_ns", "base" },
					{ "new_ns", "new" }, { "calls", "calls" },
					{ "by_calls_ns", "by calls" },
					{ "by_duration_ns", "by duration" }, { "status", "status" },
					{ "what", "what" } } } } },
};

static void write_figures(const struct answers *in, struct page *d)
{
	static const struct page_column col[] = { { "metric", false, false },
		{ "base", true, false }, { "new", true, false }, { "change", true, false },
		{ "95% interval", true, false }, { "verdict", false, false } };
	const struct table *t = answers_rows(in, ask_diff, "metrics");
	struct page_block *b;
	size_t i;

	if (!t)
		return;
	page_heading(d, "Metric by metric");
	b = page_table(d, NULL, col, COUNT_OF(col));
	for (i = 0; i < table_rows(t); i++)
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
	.table = { { ask_diff, "differences",
		{ NULL, 0,
			{ { "kind", "what" }, { "key", "key" }, { "base", "base" },
				{ "new", "new" } } } } },
};
