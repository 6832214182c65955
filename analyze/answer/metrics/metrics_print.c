/*
 * `metrics` in the layout of the documents: what the canary's notebook prints of a run, and rldk of
 * a profiler's folder.
 */
#include "analyze/answer/metrics/metrics.h"
#include "analyze/analysis/printed.h"
#include "analyze/analysis/printed_canary.h"
#include "analyze/analysis/printed_summary.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"
#include "base/saturate.h"

/* Of operations, stages and memory those that are files of the run. */
static size_t artifacts_of(const struct record *r)
{
	static const char *const kinds[] = { "op_csv", "stage_times", "memory_stats" };
	size_t i, n = 0;

	for (i = 0; i < COUNT_OF(kinds); i++)
		n += record_find_artifact(r, kinds[i]) >= 0;
	return n;
}

/* The folder; of a report alone the one it is about. */
static const char *folder_of(const struct perrun *at, struct table *t)
{
	const struct scalar *s = record_find(&at->record->scalars, "profiler_dir");

	if (s && !at->record->is_folder)
		return arena_printf(t->mem, "%.*s", (int)s->text.n, s->text.p);
	return at->out->input[at->input];
}

void metrics_print(const struct perrun *at)
{
	bool has_trace = at->run->has_trace;
	const struct scalar *written;
	struct table *t;
	size_t n;

	if (printed_canary(at->out, at->input, at->run, NULL))
		return;
	n = artifacts_of(at->record);
	if (n == 0 && record_find_artifact(at->record, "profiler_report") < 0)
		return;
	t = printed_table(at->out, at->input, "seed_summary");
	written = record_find(&at->record->scalars, "summary.total_artifacts");
	n += has_trace;
	if (n == 0 && written)
		n = saturate_size(scalar_number(written));
	printed_summary(t, at->record, folder_of(at, t), n, has_trace);
}
