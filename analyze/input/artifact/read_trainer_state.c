/*
 * Hugging Face trainer_state.json: log_history as series, everything else as scalars.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"

static enum match probe(const struct head *h)
{
	if (h->form != HEAD_OBJECT)
		return MATCH_NO;
	return head_has(h, "log_history") || head_count(h, "best_metric best_model_checkpoint") == 2
		? MATCH_STRONG
		: MATCH_NO;
}

static enum status read_state(struct reading *in, struct err *e)
{
	struct json_value doc;

	TRY(jsondoc_read(in, &doc, e));
	jsondoc_members(
		in, &in->record->scalars, SPAN(""), doc, " log_history stateful_callbacks ");
	jsondoc_rows(in, SPAN(""), json_get(doc, "log_history"));
	return OK;
}

const struct artifact artifact_trainer_state = {
	.name = "trainer_state",
	.title = "Hugging Face trainer state",
	.summary = "trainer_state.json of transformers.Trainer and TRL",
	.probe = probe,
	.read = read_state,
};
