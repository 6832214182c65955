/*
 * Summary of an epoch: statistics of its metrics.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/metric_rows.h"

static enum match probe(const struct head *h)
{
	if (h->form != HEAD_OBJECT || !head_has(h, "statistics"))
		return MATCH_NO;
	return head_has(h, "epoch") || head_mentions(h, "mean") ? MATCH_FAIR : MATCH_NO;
}

static enum status read_summary(struct reading *in, struct err *e)
{
	struct json_value doc;

	TRY(jsondoc_read(in, &doc, e));
	jsondoc_members(in, &in->record->scalars, SPAN(""), doc, " statistics ");
	metric_rows_summaries(in, json_get(doc, "statistics"));
	return OK;
}

const struct artifact artifact_epoch_summary = {
	.name = "epoch_summary",
	.title = "summary of an epoch",
	.summary = "epoch_0_summary.json: mean, spread and trend of each metric",
	.probe = probe,
	.read = read_summary,
};
