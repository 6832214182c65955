/* The section about the ranks of a job, a table and pictures; and what the answer says of them. */

#include "report/page/section/section.h"

static const char ask_ranks[] = "ranks";

enum { ROWS = 16 };

/* Of many ranks those about which the answer has a word. */
static void put_ranks(struct page *d, const struct table *t)
{
	static const struct page_column col[] = { { "rank", true, true }, { "", false, false },
		{ "step", true, false }, { "compute", true, false }, { "waits", true, false },
		{ "transfer", true, false }, { "idle", true, false }, { "causes", true, false },
		{ "last", true, false } };
	struct page_block *b = page_table(
		d, "in the mean step; causes: the sum of all that wait for it", col, COUNT_OF(col));
	size_t n = table_rows(t), left = 0;

	for (size_t i = 0; i < n; i++) {
		const char *what = section_word(d, t, i, "what");

		if (n > ROWS && !*what) {
			left++;
			continue;
		}
		PAGE_ROW(d, b, span_is(table_word(t, i, "what"), "slow") ? TONE_WARN : TONE_NONE,
			page_value(d, t, i, "rank"), what, page_value(d, t, i, "step_ns"),
			page_value(d, t, i, "compute_ns"), page_value(d, t, i, "wait_ns"),
			page_value(d, t, i, "transfer_ns"), page_value(d, t, i, "idle_ns"),
			page_value(d, t, i, "caused_ns"), page_value(d, t, i, "last_ratio"));
	}
	if (left > 0)
		page_text(d, "%zu more ranks.", left);
}

static void write_ranks(const struct answers *in, struct page *d)
{
	const struct table *ranks = answers_rows(in, ask_ranks, "ranks");

	if (!ranks)
		return;
	page_heading(d, "Ranks");
	put_ranks(d, ranks);
}

const struct section section_ranks = {
	.id = "ranks",
	.ask = { ask_ranks },
	.chart = { "rank-ledger", "rank-steps", "rank-pairs" },
	.write = write_ranks,
};

/* ---- the job that several inputs are the ranks of ---- */

const struct table *section_job_table(const struct answers *in, const char *id)
{
	const struct table *t = answers_rows(in, ask_diagnose, id);

	return t ? t : answers_rows(in, ask_summary, id);
}

/* A job in balance is good news. */
static enum page_tone tone_of(struct span severity, struct span state)
{
	if (span_is(severity, "CRIT"))
		return TONE_BAD;
	if (span_is(severity, "ok") || span_is(state, "balanced"))
		return TONE_GOOD;
	return span_is(severity, "WARN") || (state.n > 0 && !span_is(state, "not judged"))
		? TONE_WARN
		: TONE_UNKNOWN;
}

bool section_put_job(const struct answers *in, struct page *d)
{
	const struct table *all = answers_rows(in, ask_ranks, "findings");
	const struct table *t = section_job_table(in, "job");

	if (!t)
		return false;
	t = all ? all : t; /* of all ranks, of which the runs may be a part */
	for (size_t i = 0; i < table_rows(t); i++) {
		const char *what = section_word(d, t, i, all ? "state" : "finding");
		const char *advice = section_word(d, t, i, all ? "advice" : "action");

		page_item(d, tone_of(table_word(t, i, "severity"), table_word(t, i, "state")),
			"%s: %s", what, section_word(d, t, i, "text"));
		if (*advice)
			page_item(d, TONE_NONE, "%s", advice);
	}
	return true;
}
