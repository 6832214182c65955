/*
 * Times of stages: lists by stage with their averages, or a list of stages.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/stage_rows.h"

static enum match probe(const struct head *h)
{
	if (h->form == HEAD_ARRAY)
		return head_count(h, "stage seconds") == 2 ? MATCH_STRONG : MATCH_NO;
	if (h->form != HEAD_OBJECT || head_has(h, "profiler_dir"))
		return MATCH_NO;
	return head_has(h, "stage_times") &&
			head_count(h, "average_times total_steps total_stages timestamp")
		? MATCH_STRONG
		: MATCH_NO;
}

/* "epoch_0", "step_12" */
static bool is_outer(struct span key)
{
	return span_starts(key, "epoch_") || span_starts(key, "step_");
}

/* The context ends a stage when the next begins, so outer ones end where their first inner does. */
static void say_nested(struct reading *in, struct json_value times)
{
	struct span it = times.text, key;
	struct json_value v;
	int64_t outer = 0, inner = 0;

	while (times.type == JSON_OBJECT && json_next(&it, &key, &v)) {
		outer += is_outer(key);
		inner += !is_outer(key);
	}
	if (outer > 0 && inner > 0)
		reading_note(in, NOTE_WARNING, "nested_stages", outer, -1,
			"epoch_N and step_N hold only the time before the first stage inside them");
}

static enum status read_times(struct reading *in, struct err *e)
{
	struct json_value doc;

	TRY(jsondoc_read(in, &doc, e));
	if (doc.type == JSON_ARRAY) {
		stage_rows_list(in, doc);
		return OK;
	}
	jsondoc_members(in, &in->record->scalars, SPAN(""), doc, " stage_times config ");
	jsondoc_members(in, &in->record->config, SPAN(""), json_get(doc, "config"), NULL);
	stage_rows_times(in, json_get(doc, "stage_times"), json_get(doc, "average_times"));
	say_nested(in, json_get(doc, "stage_times"));
	return OK;
}

const struct artifact artifact_stage_times = {
	.name = "stage_times",
	.title = "stage times",
	.summary = "stage_times.json in each of its three forms",
	.probe = probe,
	.read = read_times,
};
