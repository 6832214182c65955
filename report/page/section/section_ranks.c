/*
 * The section about the ranks of a job: who makes the others wait, in a sentence, a table and
 * pictures.
 */

#include "report/page/section/section.h"

static const char ask_ranks[] = "ranks";

enum { ROWS = 16 };

/* What is wrong, the worst first; a job in balance is good news. */
static void put_findings(struct page *d, const struct table *t)
{
	for (size_t i = 0; i < table_rows(t); i++) {
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

/* ---- the job that several inputs are the ranks of ---- */

enum { RANKS = 16 }; /* more of them: those that matter */

const struct table *section_job_table(const struct answers *in, const char *id)
{
	const struct table *t = answers_rows(in, ask_diagnose, id);

	return t ? t : answers_rows(in, ask_summary, id);
}

static enum page_tone tone_of(struct span severity)
{
	if (span_is(severity, "CRIT"))
		return TONE_BAD;
	if (span_is(severity, "WARN"))
		return TONE_WARN;
	return span_is(severity, "ok") ? TONE_GOOD : TONE_UNKNOWN;
}

static void put_job_findings(struct page *d, const struct table *t)
{
	for (size_t i = 0; i < table_rows(t); i++) {
		page_item(d, tone_of(table_word(t, i, "severity")), "%s: %s",
			section_word(d, t, i, "finding"), section_word(d, t, i, "text"));
		if (page_has(t, i, "action"))
			page_item(d, TONE_NONE, "%s", section_word(d, t, i, "action"));
	}
}

/* Whether a rank waits most or least of all. */
static bool is_far(const struct table *t, size_t row)
{
	double own = table_number(t, row, "wait_ns");
	bool is_most = true, is_least = true;

	for (size_t i = 0; i < table_rows(t); i++) {
		double wait = table_number(t, i, "wait_ns");

		is_most = is_most && (wait < own || (!(wait > own) && i >= row));
		is_least = is_least && (wait > own || (!(wait < own) && i >= row));
	}
	return is_most || is_least;
}

static void put_job_ranks(struct page *d, const struct table *t)
{
	static const struct page_column col[] = { { "rank", true, false }, { "", false, false },
		{ "step", true, false }, { "compute", true, false }, { "waits", true, false },
		{ "transfer", true, false }, { "copies", true, false }, { "idle", true, false },
		{ "causes", true, false } };
	static const char *const key[] = { "rank", NULL, "step_ns", "compute_ns", "wait_ns",
		"transfer_ns", "exposed_memcpy_ns", "idle_ns", "caused_ns" };
	struct page_block *b =
		page_table(d, "ranks of the job, in a step; causes: waiting of the others for it",
			col, COUNT_OF(col));
	const char *text[COUNT_OF(col)];
	size_t n = table_rows(t), left = 0;

	for (size_t i = 0; i < n; i++) {
		bool is_slow = span_is(table_word(t, i, "what"), "slow");

		if (n > RANKS && !is_slow && !is_far(t, i)) {
			left++;
			continue;
		}
		for (size_t k = 0; k < COUNT_OF(col); k++)
			text[k] = key[k] ? page_value(d, t, i, key[k]) : is_slow ? "slow" : "";
		page_row(d, b, is_slow ? TONE_WARN : TONE_NONE, text, COUNT_OF(col));
	}
	if (left > 0)
		b->footnote = page_printf(d, "%zu more between them; 'traceq ranks' has all", left);
}

bool section_put_job(const struct answers *in, struct page *d)
{
	const struct table *job = section_job_table(in, "job");
	const struct table *ranks = section_job_table(in, "job_ranks");

	if (!job)
		return false;
	put_job_findings(d, job);
	if (ranks)
		put_job_ranks(d, ranks);
	return true;
}
