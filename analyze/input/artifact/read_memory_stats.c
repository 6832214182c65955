/*
 * Memory statistics of a profiler: largest usages, as the profiler saw them.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"

static enum match probe(const struct head *h)
{
	if (h->form != HEAD_OBJECT || head_has(h, "artifacts"))
		return MATCH_NO;
	return head_has(h, "peak_memory_usage") ? MATCH_STRONG : MATCH_NO;
}

/* Every number below is bytes. */
static void are_bytes(struct scalars *s, size_t from)
{
	size_t i;

	for (i = from; i < s->n; i++)
		if (span_starts(s->v[i].key, "peak_memory_usage."))
			s->v[i].measure = MEASURE_BYTE;
}

static enum status read_stats(struct reading *in, struct err *e)
{
	size_t from = in->record->scalars.n;
	struct json_value doc;

	TRY(jsondoc_read(in, &doc, e));
	jsondoc_members(in, &in->record->scalars, SPAN(""), doc, NULL);
	are_bytes(&in->record->scalars, from);
	reading_note(in, NOTE_INFO, "peak_of_one_event", 1, -1,
		"peak_memory_usage is the largest usage of a single event, not the peak of the run");
	return OK;
}

const struct artifact artifact_memory_stats = {
	.name = "memory_stats",
	.title = "memory statistics of a profiler",
	.summary = "memory_stats.json: largest memory usage of one event, by device",
	.probe = probe,
	.read = read_stats,
};
