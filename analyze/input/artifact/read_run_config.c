/*
 * How a run was set up, or where it ran: JSON documents of settings and system information.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"

/* Words of settings; three of them, or two in a small document, make a configuration. */
static const char settings[] =
	"batch_size learning_rate num_epochs num_steps_per_epoch input_size hidden_size output_size "
	"seed device profiler_enabled max_steps model_name model optimizer lr epochs warmup_steps "
	"gradient_accumulation_steps max_length beta dataset_name dataset num_labels dtype "
	"num_workers training_type lora_r precision";

static const char system_words[] =
	"python_version python torch_version torch cuda_version cuda cuda_available gpu gpus gpu_name "
	"gpu_count platform hostname cpu_count driver_version transformers_version os cudnn_version "
	"memory_gb fingerprint_hash git_commit";

static enum match probe(const struct head *h)
{
	struct span behind;
	size_t n;

	if (h->form != HEAD_OBJECT || h->first.type != JSON_OBJECT || head_has(h, "ph"))
		return MATCH_NO;
	if (head_is_row(h, &behind) && behind.n > 0) /* a log that begins with its settings */
		return MATCH_NO;
	n = head_count(h, settings);
	if (head_count(h, system_words) > n)
		n = head_count(h, system_words);
	return n >= 3 || (n == 2 && h->nkey <= 6) ? MATCH_WEAK : MATCH_NO;
}

static enum status read_config(struct reading *in, struct err *e)
{
	struct record *r = in->record;
	struct json_value doc;

	TRY(jsondoc_read(in, &doc, e));
	jsondoc_members(in,
		head_count(in->head, system_words) > head_count(in->head, settings) ? &r->env
										    : &r->config,
		SPAN(""), doc, NULL);
	return OK;
}

const struct artifact artifact_run_config = {
	.name = "run_config",
	.title = "configuration of a run",
	.summary = "config.json, sysinfo.json: settings and surroundings",
	.is_setup = true,
	.probe = probe,
	.read = read_config,
};
