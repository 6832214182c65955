/*
 * Sections about a comparison: the verdict, what differs, where the change is.
 */
#include "report/page/section/section.h"

static const char ask_diff[] = "diff";

enum { ROWS = 12 };

static enum page_tone tone_of(struct span verdict)
{
	if (span_has(verdict, "regression"))
		return TONE_BAD;
	if (span_has(verdict, "improvement"))
		return TONE_GOOD;
	return span_has(verdict, "cannot") ? TONE_UNKNOWN : TONE_NONE;
}

static void write_verdict(const struct answers *in, struct page *d)
{
	static const struct page_pick side[] = { { "side", "side" }, { "label", "what" },
		{ "runs", "runs" }, { "ranks", "ranks" }, { "steps", "steps" },
		{ "step_ns", "step" }, { "gpu", "GPU" } };
	const struct table *why = answers_rows(in, ask_diff, "why");
	const struct table *step = answers_rows(in, ask_diff, "step");
	const struct table *sides = answers_rows(in, ask_diff, "sides");
	size_t i;

	if (!why && !step && !sides)
		return;
	page_heading(d, "Answer");
	for (i = 0; i < table_rows(why); i++)
		page_item(d, i == 0 && step ? tone_of(table_word(step, 0, "verdict")) : TONE_NONE,
			"%s", section_word(d, why, i, "text"));
	page_pick_table(d, NULL, sides, side, COUNT_OF(side), 0);
}

const struct section section_verdict = {
	.id = "verdict",
	.ask = { ask_diff },
	.chart = { "compare-step" },
	.write = write_verdict,
};

static void write_change(const struct answers *in, struct page *d)
{
	static const struct page_pick ledger[] = { { "part", "per step" }, { "base_ns", "base" },
		{ "new_ns", "new" }, { "delta_ns", "delta" }, { "share_ratio", "of the change" } };
	static const struct page_pick ops[] = { { "delta_ns", "delta" }, { "base_ns", "base" },
		{ "new_ns", "new" }, { "calls", "calls" }, { "by_calls_ns", "by calls" },
		{ "by_duration_ns", "by duration" }, { "status", "status" }, { "what", "what" } };
	static const struct page_pick ranks[] = { { "rank", "rank" }, { "base_ns", "base" },
		{ "new_ns", "new" }, { "delta_ns", "delta" },
		{ "base_slowest_ratio", "slowest in base" }, { "new_slowest_ratio", "in new" } };
	const struct table *t = answers_rows(in, ask_diff, "ledger");

	if (!t)
		return;
	page_heading(d, "Where the change is");
	page_pick_table(
		d, "parts of the step; they add up to its change", t, ledger, COUNT_OF(ledger), 0);
	page_pick_table(d, "ranks that changed most", answers_rows(in, ask_diff, "ranks"), ranks,
		COUNT_OF(ranks), ROWS);
	page_pick_table(d, "device work that changed most, per step",
		answers_rows(in, ask_diff, "ops"), ops, COUNT_OF(ops), ROWS);
}

const struct section section_change = {
	.id = "change",
	.ask = { ask_diff },
	.chart = { "compare-ops" },
	.write = write_change,
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
	for (i = 0; i < table_rows(t); i++) {
		page_row(d, b, tone_of(table_word(t, i, "verdict")));
		page_cell(d, b, 0, "%s", section_word(d, t, i, "metric"));
		page_cell(d, b, 1, "%s", page_value(d, t, i, "base"));
		page_cell(d, b, 2, "%s", page_value(d, t, i, "new"));
		page_cell(d, b, 3, "%s", page_value(d, t, i, "change_ratio"));
		if (page_has(t, i, "change_low_ratio"))
			page_cell(d, b, 4, "%s to %s", page_value(d, t, i, "change_low_ratio"),
				page_value(d, t, i, "change_high_ratio"));
		page_cell(d, b, 5, "%s", section_word(d, t, i, "verdict"));
	}
}

const struct section section_figures = {
	.id = "figures",
	.ask = { ask_diff },
	.write = write_figures,
};

static void write_differences(const struct answers *in, struct page *d)
{
	static const struct page_pick pick[] = { { "kind", "what" }, { "key", "key" },
		{ "base", "base" }, { "new", "new" } };
	const struct table *t = answers_rows(in, ask_diff, "differences");

	if (!t)
		return;
	page_heading(d, "What is not the same");
	page_pick_table(d, NULL, t, pick, COUNT_OF(pick), 0);
}

const struct section section_differences = {
	.id = "differences",
	.ask = { ask_diff },
	.write = write_differences,
};
