/*
 * The section about the ranks of a job: who makes the others wait, in a sentence, a table and
 * pictures.
 */
#include <math.h>

#include "report/page/section/section.h"

static const char ask_ranks[] = "ranks";

enum { ROWS = 16 };

/* What is wrong, the worst first; a job in balance is good news. */
static void put_findings(struct page *d, const struct table *t)
{
	size_t i;

	for (i = 0; i < table_rows(t); i++) {
		struct span state = table_word(t, i, "state");
		const char *advice = section_word(d, t, i, "advice");
		enum page_tone tone = span_is(state, "balanced") ? TONE_GOOD
			: span_is(state, "not judged")           ? TONE_UNKNOWN
								 : TONE_WARN;

		page_item(d, tone, "%s%s%s", section_word(d, t, i, "text"), *advice ? ": " : "",
			advice);
	}
}

/* Of many ranks those about which the answer has a word. */
static void put_ranks(struct page *d, const struct table *t)
{
	static const struct page_column col[] = { { "rank", true, true }, { "", false, false },
		{ "step", true, false }, { "compute", true, false }, { "waits", true, false },
		{ "transfer", true, false }, { "others wait for it", true, false },
		{ "comes last", true, false } };
	struct page_block *b = page_table(d, "in the mean step", col, COUNT_OF(col));
	size_t n = table_rows(t), left = 0, i;

	for (i = 0; i < n; i++) {
		const char *what = section_word(d, t, i, "what");

		if (n > ROWS && !*what) {
			left++;
			continue;
		}
		PAGE_ROW(d, b, span_is(table_word(t, i, "what"), "slow") ? TONE_WARN : TONE_NONE,
			page_value(d, t, i, "rank"), what, page_value(d, t, i, "step_ns"),
			page_value(d, t, i, "compute_ns"), page_value(d, t, i, "wait_ns"),
			page_value(d, t, i, "transfer_ns"), page_value(d, t, i, "caused_ns"),
			page_value(d, t, i, "last_ratio"));
	}
	if (left > 0)
		page_text(d, "%zu more ranks.", left);
}

static void write_ranks(const struct answers *in, struct page *d)
{
	const struct table *findings = answers_rows(in, ask_ranks, "findings");
	const struct table *ranks = answers_rows(in, ask_ranks, "ranks");

	if (!findings || !ranks)
		return;
	page_heading(d, "Ranks");
	put_findings(d, findings);
	put_ranks(d, ranks);
}

const struct section section_ranks = {
	.id = "ranks",
	.ask = { ask_ranks },
	.chart = { "rank-ledger", "rank-steps", "rank-pairs" },
	.write = write_ranks,
};
