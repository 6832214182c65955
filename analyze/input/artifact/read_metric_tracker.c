/*
 * Exports of metric trackers and training loggers: summaries of metrics, raw values (lists, or
 * objects with time stamps), score distribution.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/metric_rows.h"

static enum match probe(const struct head *h)
{
	if (h->form != HEAD_OBJECT || head_count(h, "perf stability"))
		return MATCH_NO;
	if (head_count(h, "summaries metric_summaries") && head_count(h, "raw_metrics timestamp"))
		return MATCH_STRONG;
	return head_has(h, "raw_metrics") ? MATCH_FAIR : MATCH_NO;
}

static enum status read_tracker(struct reading *in, struct err *e)
{
	struct json_value doc;

	TRY(jsondoc_read(in, &doc, e));
	jsondoc_members(in, &in->record->scalars, SPAN(""), doc,
		" summaries metric_summaries raw_metrics score_distribution ");
	metric_rows_summaries(in, json_get(doc, "summaries"));
	metric_rows_summaries(in, json_get(doc, "metric_summaries"));
	metric_rows_raw(in, json_get(doc, "raw_metrics"));
	metric_rows_scores(in, SPAN("score_distribution"), json_get(doc, "score_distribution"));
	return OK;
}

const struct artifact artifact_metric_tracker = {
	.name = "metric_tracker",
	.title = "export of a metric tracker",
	.summary = "summaries and raw values of metrics, with the distribution of scores",
	.probe = probe,
	.read = read_tracker,
};
