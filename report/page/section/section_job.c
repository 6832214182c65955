/*
 * The job that several inputs are the ranks of: what is wrong with it, and where the steps of its
 * ranks go.
 */
#include <math.h>

#include "report/page/section/section.h"

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

static void put_findings(struct page *d, const struct table *t)
{
	size_t i;

	for (i = 0; i < table_rows(t); i++) {
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
	size_t i;

	for (i = 0; i < table_rows(t); i++) {
		double wait = table_number(t, i, "wait_ns");

		is_most = is_most && (wait < own || (!(wait > own) && i >= row));
		is_least = is_least && (wait > own || (!(wait < own) && i >= row));
	}
	return is_most || is_least;
}

static void put_ranks(struct page *d, const struct table *t)
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
	size_t n = table_rows(t), i, k, left = 0;

	for (i = 0; i < n; i++) {
		bool is_slow = span_is(table_word(t, i, "what"), "slow");

		if (n > RANKS && !is_slow && !is_far(t, i)) {
			left++;
			continue;
		}
		for (k = 0; k < COUNT_OF(col); k++)
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
	put_findings(d, job);
	if (ranks)
		put_ranks(d, ranks);
	return true;
}
