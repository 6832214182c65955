/*
 * A profiler report: stage times, rows of operations, memory statistics and a summary, in one
 * file.  Its operations are rows of a CSV as objects of strings, one row an event.
 */
#include <inttypes.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/op_rows.h"
#include "analyze/input/artifact/stage_rows.h"

static enum match probe(const struct head *h)
{
	if (h->form != HEAD_OBJECT)
		return MATCH_NO;
	return head_has(h, "profiler_dir") ||
			head_count(h, "operation_stats memory_stats stage_times artifacts") >= 3
		? MATCH_STRONG
		: MATCH_NO;
}

static enum status read_report(struct reading *in, struct err *e)
{
	struct json_value doc, times, ops, summary;

	TRY(jsondoc_read(in, &doc, e));
	times = json_get(doc, "stage_times");
	ops = json_get(doc, "operation_stats");
	summary = json_get(doc, "summary");
	jsondoc_members(
		in, &in->record->scalars, SPAN(""), doc, " stage_times operation_stats summary ");
	/* The report's own top operations are rows of the CSV once more. */
	jsondoc_members(in, &in->record->scalars, SPAN("summary"), summary, " operation_summary ");
	jsondoc_members(in, &in->record->scalars, SPAN("summary.operation_summary"),
		json_get(summary, "operation_summary"), " top_operations ");
	if (times.type == JSON_OBJECT)
		stage_rows_times(
			in, json_get(times, "stage_times"), json_get(times, "average_times"));
	else if (times.type == JSON_ARRAY)
		stage_rows_list(in, times);
	if (ops.type == JSON_ARRAY) {
		struct op_rows o;

		op_rows_open(&o, in);
		op_rows_list(&o, NULL, ops);
		reading_artifact(in)->rows = o.rows;
		if (o.rows > (int64_t)o.sheet->table.nrow)
			reading_note(in, NOTE_INFO, "rows_by_name", o.rows, -1,
				"%" PRId64 " rows, one an event, summed up to %zu names", o.rows,
				o.sheet->table.nrow);
		op_rows_close(&o);
	}
	return OK;
}

const struct artifact artifact_profiler_report = {
	.name = "profiler_report",
	.title = "profiler report",
	.summary = "profiler_report.json: stages, operations and memory in one file",
	.is_copy = true,
	.probe = probe,
	.read = read_report,
};
