/*
 * Summaries of profiling: manager, context, steps, artifacts that were written.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/stage_rows.h"

static enum match probe(const struct head *h)
{
	if (h->form != HEAD_OBJECT)
		return MATCH_NO;
	if (head_count(h, "profiler_manager profiler_context step_profiler"))
		return MATCH_STRONG;
	return head_count(h, "is_active step_count output_dir artifacts") >= 3 ? MATCH_STRONG
									       : MATCH_NO;
}

static enum status read_summary(struct reading *in, struct err *e)
{
	const struct json_value none = { JSON_NONE, { "", 0 }, false };
	struct json_value doc, context, times;

	TRY(jsondoc_read(in, &doc, e));
	context = json_get(doc, "profiler_context");
	jsondoc_members(in, &in->record->scalars, SPAN(""), doc, " profiler_context ");
	jsondoc_members(in, &in->record->scalars, SPAN("profiler_context"), context, " config ");
	jsondoc_members(in, &in->record->config, SPAN(""), json_get(context, "config"), NULL);
	times = jsondoc_at(doc, "profiler_manager.stage_times");
	if (times.type != JSON_OBJECT)
		times = json_get(context, "average_times");
	if (times.type == JSON_OBJECT)
		stage_rows_times(in, none, times);
	return OK;
}

const struct artifact artifact_profiler_summary = {
	.name = "profiler_summary",
	.title = "summary of a profiled run",
	.summary = "profiler_summary.json: averages of stages, step times, what was written",
	.probe = probe,
	.read = read_summary,
};
