/*
 * A distribution by itself: of scores, or of rewards in groups.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/metric_rows.h"

static enum match probe(const struct head *h)
{
	if (h->form != HEAD_OBJECT)
		return MATCH_NO;
	if (head_count(h, "total invalid_count invalid_rate") == 3)
		return MATCH_STRONG;
	return head_count(h, "total_samples total_groups reward_mean") == 3 ? MATCH_STRONG
									    : MATCH_NO;
}

static enum status read_distribution(struct reading *in, struct err *e)
{
	struct json_value doc;

	TRY(jsondoc_read(in, &doc, e));
	metric_rows_scores(in,
		head_has(in->head, "total_groups") ? SPAN("reward_distribution")
						   : SPAN("score_distribution"),
		doc);
	if (head_has(in->head, "total_groups"))
		metric_rows_rewards(in, doc);
	return OK;
}

const struct artifact artifact_distribution = {
	.name = "distribution",
	.title = "distribution of scores or rewards",
	.summary = "counts of scores, or mean and spread of rewards in groups",
	.probe = probe,
	.read = read_distribution,
};
