/*
 * A GPU profile: devices, memory, needs of models, throughput by batch size.
 */
#include <math.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/metric_rows.h"
#include "analyze/input/text/iso_time.h"
#include "base/compiler.h"

static enum match probe(const struct head *h)
{
	if (h->form != HEAD_OBJECT)
		return MATCH_NO;
	return head_count(h, "gpu_info memory_profile model_estimates compatibility") >= 2
		? MATCH_STRONG
		: MATCH_NO;
}

static void put_gpus(struct reading *in, struct json_value devices)
{
	static const struct field fields[] = {
		{ "index", GPUS_INDEX, MEASURE_NONE },
		{ "name", GPUS_NAME, MEASURE_NONE },
		{ "total_memory_gb", GPUS_MEMORY_BYTES, MEASURE_GIB },
		{ "compute_capability", GPUS_COMPUTE, MEASURE_NONE },
	};
	struct span it = devices.text, none;
	struct json_value v;
	struct sheet *s;

	if (devices.type != JSON_ARRAY)
		return;
	s = record_sheet(in->record, in->artifact, SHEET_GPUS);
	while (json_next(&it, &none, &v))
		if (v.type == JSON_OBJECT && record_row(s))
			jsondoc_fields(in, &s->table, fields, COUNT_OF(fields), v);
}

static void put_models(struct reading *in, struct json_value models)
{
	static const struct field fields[] = {
		{ "num_params", MODELS_PARAMS, MEASURE_NONE },
		{ "inference_gb", MODELS_INFERENCE_BYTES, MEASURE_GIB },
		{ "training_gb", MODELS_TRAINING_BYTES, MEASURE_GIB },
		{ "required_gb", MODELS_REQUIRED_BYTES, MEASURE_GIB },
		{ "fits", MODELS_FITS, MEASURE_NONE },
	};
	struct span it = models.text, key;
	struct json_value v;
	struct sheet *s = NULL;

	while (models.type == JSON_OBJECT && json_next(&it, &key, &v)) {
		if (v.type != JSON_OBJECT)
			continue;
		if (!s)
			s = record_sheet(in->record, in->artifact, SHEET_MODELS);
		if (!record_row(s))
			return;
		table_text(&s->table, MODELS_NAME,
			record_text(in->record, jsondoc_key(in, SPAN(""), key)));
		jsondoc_fields(in, &s->table, fields, COUNT_OF(fields), v);
	}
}

static void put_sweep(struct reading *in, struct json_value benchmark)
{
	static const struct field fields[] = {
		{ "batch_size", SWEEP_BATCH, MEASURE_COUNT },
		{ "samples_per_sec", SWEEP_AT(SWEEP_SAMPLES_PER_S, SWEEP_MEAN), MEASURE_NONE },
		{ "memory_gb", SWEEP_AT(SWEEP_PEAK_GPU_BYTES, SWEEP_MEAN), MEASURE_GIB },
	};
	struct span it = benchmark.text, key;
	struct json_value v;
	struct sheet *s = NULL;

	while (benchmark.type == JSON_OBJECT && json_next(&it, &key, &v)) {
		if (v.type != JSON_OBJECT)
			continue;
		if (!s)
			s = record_sheet(in->record, in->artifact, SHEET_SWEEP);
		if (record_row(s))
			jsondoc_fields(in, &s->table, fields, COUNT_OF(fields), v);
	}
}

/* The mock of the document's own script: 10 / batch samples a second, 5 + 2 * batch GB. */
static bool is_mock(struct json_value row)
{
	double batch, rate, memory;

	return jsondoc_number(json_get(row, "batch_size"), &batch) && batch > 0 &&
		jsondoc_number(json_get(row, "samples_per_sec"), &rate) &&
		jsondoc_number(json_get(row, "memory_gb"), &memory) &&
		fabs(rate * batch - 10) < 1e-6 && fabs(memory - (5 + 2 * batch)) < 1e-6;
}

static void say_mock(struct reading *in, struct json_value benchmark)
{
	struct span it = benchmark.text, key;
	struct json_value v;
	int64_t n = 0;

	while (benchmark.type == JSON_OBJECT && json_next(&it, &key, &v)) {
		if (!is_mock(v))
			return;
		n++;
	}
	if (n > 0)
		reading_note(in, NOTE_WARNING, "mock_throughput", n, -1,
			"throughput and memory are the mock formula 10/bs, 5+2*bs at every batch "
			"size: nothing was measured");
}

/* The document's script writes its own name where the time should be. */
static void say_timestamp(struct reading *in, struct json_value v)
{
	struct span text = jsondoc_text(in, v);
	double seconds;

	if (v.type == JSON_STRING && !iso_time(text, &seconds))
		reading_note(in, NOTE_INFO, "timestamp_no_time", 1, -1,
			"timestamp is \"%.*s\", a name and no time",
			(int)(text.n < 64 ? text.n : 64), text.p);
}

static enum status read_profile(struct reading *in, struct err *e)
{
	struct json_value doc;

	TRY(jsondoc_read(in, &doc, e));
	jsondoc_members(in, &in->record->scalars, SPAN(""), doc,
		" gpu_info model_estimates compatibility throughput_benchmark ");
	jsondoc_members(
		in, &in->record->env, SPAN("gpu_info"), json_get(doc, "gpu_info"), " devices ");
	put_gpus(in, jsondoc_at(doc, "gpu_info.devices"));
	put_models(in, json_get(doc, "model_estimates"));
	put_models(in, json_get(doc, "compatibility"));
	put_sweep(in, json_get(doc, "throughput_benchmark"));
	metric_rows_memory(in, "memory_profile", json_get(doc, "memory_profile"));
	say_mock(in, json_get(doc, "throughput_benchmark"));
	say_timestamp(in, json_get(doc, "timestamp"));
	return OK;
}

const struct artifact artifact_gpu_profile = {
	.name = "gpu_profile",
	.title = "GPU profile",
	.summary = "gpu_profile.json: devices, memory, what models need, throughput by batch size",
	.probe = probe,
	.read = read_profile,
};
