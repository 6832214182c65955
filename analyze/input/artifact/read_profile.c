/*
 * Profiling results: memory, timing of operations, throughput (profiling_results.json,
 * profiling_epoch0.json).  Blocks and their members may be missing.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/metric_rows.h"
#include "analyze/input/artifact/stage_rows.h"

static enum match probe(const struct head *h)
{
	if (h->form != HEAD_OBJECT || head_count(h, "timing memory throughput") == 0)
		return MATCH_NO;
	if (head_count(h, "summaries metric_summaries raw_metrics memory_profile perf traceEvents"))
		return MATCH_NO;
	if (!head_mentions(h, "num_measurements") && !head_mentions(h, "total_sec") &&
		!head_mentions(h, "mean_sec") && !head_mentions(h, "samples_per_sec") &&
		!head_mentions(h, "peak_allocated_gb"))
		return MATCH_NO;
	return head_count(h, "total_runtime_sec timestamp device") ? MATCH_STRONG : MATCH_FAIR;
}

static enum status read_profile(struct reading *in, struct err *e)
{
	struct json_value doc;

	TRY(jsondoc_read(in, &doc, e));
	jsondoc_members(in, &in->record->scalars, SPAN(""), doc, " timing ");
	stage_rows_timers(in, jsondoc_at(doc, "timing"));
	metric_rows_memory(in, "memory", json_get(doc, "memory"));
	return OK;
}

const struct artifact artifact_profile = {
	.name = "profile",
	.title = "profiling results",
	.summary = "profiling JSON of a training program: memory, timing, throughput",
	.probe = probe,
	.read = read_profile,
};
