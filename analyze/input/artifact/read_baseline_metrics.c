/*
 * Baseline metrics of a model: what it is, the sweep over batch sizes, the figures of the whole
 * data set.  Numbers may be strings.
 */
#include <string.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/sweep_rows.h"
#include "base/compiler.h"

static enum match probe(const struct head *h)
{
	if (h->form != HEAD_OBJECT)
		return MATCH_NO;
	return head_count(h, "model_info dataset_info batch_size_profiling full_dataset_metrics") >=
			2
		? MATCH_STRONG
		: MATCH_NO;
}

/* What the keys do not say: seconds, and MB, which are MiB but for the model's own sizes. */
static void set_measures(struct scalars *s, size_t from)
{
	static const struct {
		const char *key;
		enum measure measure;
	} known[] = {
		{ "model_info.param_size_mb", MEASURE_MEGABYTE },
		{ "model_info.buffer_size_mb", MEASURE_MEGABYTE },
		{ "model_info.total_size_mb", MEASURE_MEGABYTE },
		{ "full_dataset_metrics.latency_total", MEASURE_S },
		{ "full_dataset_metrics.latency_per_sample", MEASURE_S },
		{ "full_dataset_metrics.latency_per_batch", MEASURE_S },
		{ "full_dataset_metrics.peak_gpu_mem", MEASURE_MIB },
	};
	size_t i, k;

	for (i = from; i < s->n; i++)
		for (k = 0; k < COUNT_OF(known); k++)
			if (span_is(s->v[i].key, known[k].key))
				s->v[i].measure = known[k].measure;
}

static enum status read_baseline(struct reading *in, struct err *e)
{
	size_t from = in->record->scalars.n;
	struct json_value doc;

	TRY(jsondoc_read(in, &doc, e));
	jsondoc_members(in, &in->record->scalars, SPAN(""), doc,
		" batch_size_profiling full_dataset_metrics ");
	jsondoc_members(in, &in->record->scalars, SPAN("full_dataset_metrics"),
		json_get(doc, "full_dataset_metrics"), " predictions ");
	set_measures(&in->record->scalars, from);
	sweep_rows_list(in, json_get(doc, "batch_size_profiling"));
	return OK;
}

const struct artifact artifact_baseline_metrics = {
	.name = "baseline_metrics",
	.title = "baseline metrics of a model",
	.summary = "baseline_metrics.json: model, data set, batch sizes, accuracy",
	.probe = probe,
	.read = read_baseline,
};
