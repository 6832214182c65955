/*
 * Metrics of a training loop: a summary, and lists of losses, accuracies, times of steps and
 * epochs.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"

static enum match probe(const struct head *h)
{
	if (h->form != HEAD_OBJECT || head_has(h, "step_profiler"))
		return MATCH_NO;
	return head_count(h, "losses accuracies step_times epoch_times") >= 2 ? MATCH_STRONG
									      : MATCH_NO;
}

static void are_seconds(struct reading *in, const char *name)
{
	struct series *s = record_series(in->record, in->artifact, span_of(name), SPAN(""));

	if (s)
		s->measure = MEASURE_S;
}

static enum status read_metrics(struct reading *in, struct err *e)
{
	struct json_value doc;

	TRY(jsondoc_read(in, &doc, e));
	jsondoc_members(in, &in->record->scalars, SPAN(""), doc, NULL);
	if (head_has(in->head, "step_times"))
		are_seconds(in, "step_times");
	if (head_has(in->head, "epoch_times"))
		are_seconds(in, "epoch_times");
	return OK;
}

const struct artifact artifact_run_metrics = {
	.name = "run_metrics",
	.title = "metrics of a training loop",
	.summary = "metrics.json with losses, accuracies, times of steps and epochs",
	.probe = probe,
	.read = read_metrics,
};
