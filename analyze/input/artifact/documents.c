/*
 * The kinds of JSON documents: each is data, with a function where a member has a shape of its own.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/document_rows.h"
#include "analyze/input/artifact/tables/op_rows.h"
#include "analyze/input/artifact/benchmarks/sweep_rows.h"
#include "analyze/input/text/iso_time.h"
#include "base/base.h"

#define SHEET(kind, list) .sheet = SHEET_##kind, .field = list, .nfield = COUNT_OF(list)

const struct artifact artifact_trainer_state = {
	.name = "trainer_state",
	.title = "Hugging Face trainer state",
	.summary = "trainer_state.json of transformers.Trainer and TRL",
	.sign = {
		{ MATCH_STRONG, 1, .keys = "log_history" },
		{ MATCH_STRONG, 2, .keys = "best_metric best_model_checkpoint" },
	},
	.member = {
		{ "", TO_SCALARS, .skip = "log_history|stateful_callbacks" },
		{ "log_history", .name = "", .call_named = jsondoc_rows },
	},
};

const struct artifact artifact_metric_tracker = {
	.name = "metric_tracker",
	.title = "export of a metric tracker",
	.summary = "summaries and raw values of metrics, with the distribution of scores",
	.sign = {
		{ MATCH_STRONG, 1, "summaries metric_summaries",
			.with = "raw_metrics timestamp total_runtime_sec experiment_name score_distribution",
			.without = "perf stability" },
		{ MATCH_FAIR, 1, "raw_metrics metric_summaries", .without = "perf stability" },
	},
	.member = {
		{ "", TO_SCALARS, .skip = "summaries|metric_summaries|raw_metrics|score_distribution" },
		{ "summaries", .call = metric_rows_summaries },
		{ "metric_summaries", .call = metric_rows_summaries },
		{ "raw_metrics", .call = metric_rows_raw },
		{ "score_distribution", .call_named = metric_rows_scores },
	},
};

/* A distribution by itself: of scores, or of rewards in groups. */
static void put_distribution(struct reading *in, struct json_value v)
{
	bool is_grouped = head_has(in->head, "total_groups") || head_has(in->head, "reward_mean");

	metric_rows_scores(
		in, is_grouped ? SPAN("reward_distribution") : SPAN("score_distribution"), v);
	if (is_grouped)
		metric_rows_rewards(in, v);
}

const struct artifact artifact_distribution = {
	.name = "distribution",
	.title = "distribution of scores or rewards",
	.summary = "counts of scores, or mean and spread of rewards in groups",
	.sign = {
		{ MATCH_STRONG, 3, .keys = "total invalid_count invalid_rate" },
		{ MATCH_STRONG, 3, .keys = "total_samples total_groups reward_mean" },
		{ MATCH_STRONG, 2, .keys = "reward_mean rank_distribution" },
	},
	.member = { { "", .call = put_distribution } },
};

/* Blocks of profiling results and their members may be missing. */
static const char profile_others[] =
	"summaries metric_summaries raw_metrics memory_profile perf traceEvents";
static const char profile_figures[] =
	"num_measurements total_sec mean_sec samples_per_sec peak_allocated_gb";

static const struct field timer_fields[] = {
	{ "", STAGES_NAME, MEASURE_NONE },
	{ "count", STAGES_CALLS, MEASURE_COUNT },
	{ "total_sec", STAGES_TOTAL, MEASURE_S },
	{ "mean_sec", STAGES_MEAN, MEASURE_S },
	{ "min_sec", STAGES_MIN, MEASURE_S },
	{ "max_sec", STAGES_MAX, MEASURE_S },
};

const struct artifact artifact_profile = {
	.name = "profile",
	.title = "profiling results",
	.summary = "profiling JSON of a training program: memory, timing, throughput",
	.sign = {
		{ MATCH_STRONG, 1, "timing memory throughput",
			.with = "total_runtime_sec timestamp device", .without = profile_others,
			.mentions = profile_figures },
		{ MATCH_FAIR, 1, "timing memory throughput", .without = profile_others,
			.mentions = profile_figures },
		{ MATCH_WEAK, 3, "timing memory throughput", .without = profile_others },
	},
	.member = {
		{ "", TO_SCALARS, .skip = "timing" },
		{ "timing", TO_NAMED_ROWS, SHEET(STAGES, timer_fields) },
		{ "memory", .call_named = metric_rows_memory },
	},
};

static enum match probe_timers(const struct head *h)
{
	double mean;
	int64_t n = 0;

	if (h->form != HEAD_OBJECT || h->first.type != JSON_OBJECT)
		return MATCH_NO;
	for (struct json_items it = json_items(h->first); json_more(&it); n++)
		if (it.v.type != JSON_OBJECT || !jsondoc_number(json_get(it.v, "mean_sec"), &mean))
			return MATCH_NO;
	return n > 0 ? MATCH_WEAK : MATCH_NO;
}

/* The timing of profiling results, by itself: its keys are what the program timed. */
const struct artifact artifact_timers = {
	.name = "timers",
	.title = "times of a training timer",
	.summary =
		"what TrainingTimer.get_summary() returns: count, mean and extremes of each timer",
	.probe = probe_timers,
	.member = { { "", TO_NAMED_ROWS, SHEET(STAGES, timer_fields) } },
};

/* A summary of one metric, which does not say its name; other figures are as a log's only row. */
static void put_returned(struct reading *in, struct json_value doc)
{
	struct json_value list = { JSON_ARRAY, { "", 0 }, false };

	if (head_count(in->head, "mean std") == 2) {
		metric_rows_summary(in, SPAN("metric"), doc);
		return;
	}
	list.text = span_of(arena_printf(&in->mem, "[%.*s]", (int)doc.text.n, doc.text.p));
	jsondoc_rows(in, SPAN(""), list);
}

/* Keys that anything may have: any other kind goes first. */
const struct artifact artifact_returned = {
	.name = "returned",
	.title = "figures that a profiler or tracker returned",
	.summary = "what measure(), get_current_throughput() and get_summary() of a metric return",
	.sign = {
		{ MATCH_WEAK, 3, .keys = "allocated_gb reserved_gb max_allocated_gb max_reserved_gb" },
		{ MATCH_WEAK, 2, .keys = "samples_per_sec tokens_per_sec" },
		{ MATCH_WEAK, 5, .keys = "count mean std min max p50 p95" },
	},
	.member = { { "", .call = put_returned } },
};

static const struct field gpu_fields[] = {
	{ "index", GPUS_INDEX, MEASURE_NONE },
	{ "name", GPUS_NAME, MEASURE_NONE },
	{ "total_memory_gb", GPUS_MEMORY_BYTES, MEASURE_GIB },
	{ "compute_capability", GPUS_COMPUTE, MEASURE_NONE },
};

static const struct field model_fields[] = {
	{ "", MODELS_NAME, MEASURE_NONE },
	{ "num_params", MODELS_PARAMS, MEASURE_NONE },
	{ "inference_gb", MODELS_INFERENCE_BYTES, MEASURE_GIB },
	{ "training_gb", MODELS_TRAINING_BYTES, MEASURE_GIB },
	{ "required_gb", MODELS_REQUIRED_BYTES, MEASURE_GIB },
	{ "fits", MODELS_FITS, MEASURE_NONE },
};

static const struct field benchmark_fields[] = {
	{ "batch_size", SWEEP_BATCH, MEASURE_COUNT },
	{ "samples_per_sec", SWEEP_AT(SWEEP_SAMPLES_PER_S, SWEEP_MEAN), MEASURE_NONE },
	{ "memory_gb", SWEEP_AT(SWEEP_PEAK_GPU_BYTES, SWEEP_MEAN), MEASURE_GIB },
};

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
	int64_t n = 0;

	for (struct json_items it = json_members(benchmark); json_more(&it);) {
		if (!is_mock(it.v))
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
			"timestamp is \"%.*s\", a name and no time", (int)MIN(text.n, 64), text.p);
}

const struct artifact artifact_gpu_profile = {
	.name = "gpu_profile",
	.title = "GPU profile",
	.summary = "gpu_profile.json: devices, memory, what models need, throughput by batch size",
	.sign = { { MATCH_STRONG, 2, .keys = "gpu_info memory_profile model_estimates compatibility" } },
	.member = {
		{ "", TO_SCALARS, .skip = "gpu_info|model_estimates|compatibility|throughput_benchmark" },
		{ "gpu_info", TO_ENV, .skip = "devices" },
		{ "gpu_info.devices", TO_ROWS, SHEET(GPUS, gpu_fields) },
		{ "model_estimates", TO_NAMED_ROWS, SHEET(MODELS, model_fields) },
		{ "compatibility", TO_NAMED_ROWS, SHEET(MODELS, model_fields) },
		{ "throughput_benchmark", TO_NAMED_ROWS, SHEET(SWEEP, benchmark_fields) },
		{ "memory_profile", .call_named = metric_rows_memory },
		{ "throughput_benchmark", .call = say_mock },
		{ "timestamp", .call = say_timestamp },
	},
};

static void put_canary_ops(struct reading *in, struct json_value doc)
{
	struct json_value profiler = json_get(doc, "profiler");
	struct op_rows o;

	if (profiler.type != JSON_OBJECT && !head_has(in->head, "perf"))
		profiler = doc;
	struct json_value cuda = json_get(profiler, "top_cuda_ops");
	struct json_value cpu = json_get(profiler, "top_cpu_ops");
	if (cuda.type != JSON_ARRAY && cpu.type != JSON_ARRAY)
		return;
	op_rows_open(&o, in);
	op_rows_list(&o, "top_cuda_ops", cuda);
	op_rows_list(&o, "top_cpu_ops", cpu);
	op_rows_close(&o);
}

const struct artifact artifact_canary_metrics = {
	.name = "canary_metrics",
	.title = "metrics of a canary run",
	.summary = "metrics.json of a canary: environment, performance, stability, profiler summary",
	.sign = {
		{ MATCH_STRONG, 1, "perf", .with = "stability profiler env run_id" },
		{ MATCH_STRONG, 1, "profiler", .mentions = "top_cuda_ops top_cpu_ops cuda_time_total_ms" },
		{ MATCH_STRONG, 2, .keys = "top_cuda_ops top_cpu_ops cuda_time_total_ms" },
	},
	.member = {
		{ "env", TO_ENV, .name = "" },
		{ "config", TO_CONFIG, .name = "" },
		{ "", TO_SCALARS, .skip = "env|config|profiler|top_cuda_ops|top_cpu_ops" },
		{ "profiler", TO_SCALARS, .skip = "top_cuda_ops|top_cpu_ops" },
		{ "", .call = put_canary_ops },
		{ "perf.step_time", .call_named = metric_rows_summary },
	},
};

/* A list of seconds, whose key does not say so. */
static void put_seconds(struct reading *in, struct span name, struct json_value v UNUSED)
{
	(void)reading_series(in, name, SPAN(""), AXIS_ROW, MEASURE_S);
}

const struct artifact artifact_run_metrics = {
	.name = "run_metrics",
	.title = "metrics of a training loop",
	.summary = "metrics.json with losses, accuracies, times of steps and epochs",
	.sign = {
		{ MATCH_STRONG, 2, "losses accuracies step_times epoch_times", .without = "step_profiler" },
	},
	.member = {
		{ .at = "", .to = TO_SCALARS },
		{ "step_times", .call_named = put_seconds },
		{ "epoch_times", .call_named = put_seconds },
	},
};

static void put_averages(struct reading *in, struct json_value doc)
{
	const struct json_value none = { JSON_NONE, { "", 0 }, false };
	struct json_value times = jsondoc_at(doc, "profiler_manager.stage_times");

	if (times.type != JSON_OBJECT)
		times = jsondoc_at(doc, "profiler_context.average_times");
	if (times.type == JSON_OBJECT)
		stage_rows_times(in, none, times);
}

const struct artifact artifact_profiler_summary = {
	.name = "profiler_summary",
	.title = "summary of a profiled run",
	.summary = "profiler_summary.json: averages of stages, step times, what was written",
	.sign = {
		{ MATCH_STRONG, 1, .keys = "profiler_manager profiler_context step_profiler" },
		{ MATCH_STRONG, 3, .keys = "is_active step_count output_dir artifacts" },
	},
	.member = {
		{ "", TO_SCALARS, .skip = "profiler_context" },
		{ "profiler_context", TO_SCALARS, .skip = "config" },
		{ "profiler_context.config", TO_CONFIG, .name = "" },
		{ "", .call = put_averages },
	},
};

/* "epoch_0", "step_12" */
static bool is_outer(struct span key)
{
	return span_starts(key, "epoch_") || span_starts(key, "step_");
}

/* The context ends a stage when the next begins, so outer ones end where their first inner does. */
static void say_nested(struct reading *in, struct json_value times)
{
	int64_t outer = 0, all = 0;

	for (struct json_items it = json_members(times); json_more(&it); all++)
		outer += is_outer(it.key);
	if (outer > 0 && outer < all)
		reading_note(in, NOTE_WARNING, "nested_stages", outer, -1,
			"epoch_N and step_N hold only the time before the first stage inside them");
}

const struct artifact artifact_stage_times = {
	.name = "stage_times",
	.title = "stage times",
	.summary = "stage_times.json in each of its three forms",
	.sign = {
		{ MATCH_STRONG, 2, "stage seconds", .is_list = true },
		{ MATCH_STRONG, 1, "stage_times", .without = "profiler_dir",
			.with = "average_times total_steps total_stages timestamp" },
	},
	.member = {
		{ "", TO_SCALARS, .skip = "stage_times|config" },
		{ "config", TO_CONFIG, .name = "" },
		{ "", .call = stage_rows_any },
		{ "stage_times", .call = say_nested },
	},
};

static void say_peak(struct reading *in, struct json_value v UNUSED)
{
	reading_note(in, NOTE_INFO, "peak_of_one_event", 1, -1,
		"peak_memory_usage is the largest usage of a single event, not the peak of the run");
}

const struct artifact artifact_memory_stats = {
	.name = "memory_stats",
	.title = "memory statistics of a profiler",
	.summary = "memory_stats.json: largest memory usage of one event, by device",
	.sign = { { MATCH_STRONG, 1, "peak_memory_usage", .without = "artifacts" } },
	.member = {
		{ .at = "", .to = TO_SCALARS },
		{ "", .call = say_peak },
	},
	.measure = { { "peak_memory_usage.", MEASURE_BYTE } },
};

/* Rows of a CSV as objects of strings, one row an event. */
static void put_events(struct reading *in, struct json_value ops)
{
	struct op_rows o;

	if (ops.type != JSON_ARRAY)
		return;
	op_rows_open(&o, in);
	op_rows_list(&o, NULL, ops);
	reading_artifact(in)->rows = o.rows;
	op_rows_say(&o);
	op_rows_close(&o);
}

/* The report's own top operations are rows of the CSV once more. */
const struct artifact artifact_profiler_report = {
	.name = "profiler_report",
	.title = "profiler report",
	.summary = "profiler_report.json: stages, operations and memory in one file",
	.is_copy = true,
	.sign = {
		{ MATCH_STRONG, 1, .keys = "profiler_dir" },
		{ MATCH_STRONG, 3, .keys = "operation_stats memory_stats stage_times artifacts" },
	},
	.member = {
		{ "", TO_SCALARS, .skip = "stage_times|operation_stats|summary" },
		{ "summary", TO_SCALARS, .skip = "operation_summary" },
		{ "summary.operation_summary", TO_SCALARS, .skip = "top_operations" },
		{ "stage_times", .call = stage_rows_any },
		{ "operation_stats", .call = put_events },
	},
};

/* Numbers may be strings; MB are MiB but for the model's own sizes. */
const struct artifact artifact_baseline_metrics = {
	.name = "baseline_metrics",
	.title = "baseline metrics of a model",
	.summary = "baseline_metrics.json: model, data set, batch sizes, accuracy",
	.sign = {
		{ MATCH_STRONG, 2, .keys = "model_info dataset_info batch_size_profiling full_dataset_metrics" },
	},
	.member = {
		{ "", TO_SCALARS, .skip = "batch_size_profiling|full_dataset_metrics" },
		{ "full_dataset_metrics", TO_SCALARS, .skip = "predictions" },
		{ "batch_size_profiling", .call = sweep_rows_list },
	},
	.measure = {
		{ "model_info.param_size_mb", MEASURE_MEGABYTE },
		{ "model_info.buffer_size_mb", MEASURE_MEGABYTE },
		{ "model_info.total_size_mb", MEASURE_MEGABYTE },
		{ "full_dataset_metrics.latency_total", MEASURE_S },
		{ "full_dataset_metrics.latency_per_sample", MEASURE_S },
		{ "full_dataset_metrics.latency_per_batch", MEASURE_S },
		{ "full_dataset_metrics.peak_gpu_mem", MEASURE_MIB },
	},
};

const struct artifact artifact_label_mappings = {
	.name = "label_mappings",
	.title = "label mappings of a classifier",
	.summary = "label_mappings.json: label2id, id2label, num_labels",
	.is_setup = true,
	.sign = { { MATCH_FAIR, 2, .keys = "label2id id2label" } },
	.member = { { .at = "", .to = TO_CONFIG } },
};

const struct artifact artifact_epoch_summary = {
	.name = "epoch_summary",
	.title = "summary of an epoch",
	.summary = "epoch_0_summary.json: mean, spread and trend of each metric",
	.sign = {
		{ MATCH_FAIR, 1, "statistics", .with = "epoch" },
		{ MATCH_FAIR, 1, "statistics", .mentions = "mean" },
	},
	.member = {
		{ "", TO_SCALARS, .skip = "statistics" },
		{ "statistics", .call = metric_rows_summaries },
	},
};

/* ---- TraceML ---- */

/* {"average": {"input_wait_ms", ...}, "steps_analyzed"}: a stage each. */
static void put_traceml(struct reading *in, struct json_value global)
{
	struct sheet *s = reading_sheet(in, SHEET_STAGES);
	double steps, v;
	bool is_counted = jsondoc_number(jsondoc_at(global, "steps_analyzed"), &steps) ||
		jsondoc_number(jsondoc_at(global, "window.steps_analyzed"), &steps);

	for (struct json_items it = json_members(json_get(global, "average")); json_more(&it);) {
		if (!span_ends(it.key, "_ms") || !jsondoc_number(it.v, &v) || !record_row(s))
			continue;
		struct span name = { it.key.p, it.key.n - 3 };
		TABLE_CELLS(&s->table, [STAGES_NAME] = cell_text(record_text(in->record, name)),
			[STAGES_CALLS] = CELL_IF(is_counted, cell_int(saturate_whole(steps))),
			[STAGES_MEAN] = cell_real(v * 1e6));
	}
}

const struct artifact artifact_traceml = {
	.name = "traceml",
	.title = "summary of steps (TraceML)",
	.summary = "final_summary.json of TraceML: mean times of a step's parts, and what it concludes",
	.sign = { { MATCH_STRONG, 2, "primary_diagnosis step_time",
		.mentions = "steps_analyzed" } },
	.member = {
		{ "", TO_SCALARS, .skip = "step_time|step_memory|system|process" },
		{ "step_time.global", .call = put_traceml },
	},
};

/* ---- memray ---- */

/* [{"location": "step:/w/train.py:12", "size": 4096}, ...]: a figure each. */
static void put_locations(struct reading *in, struct json_value list, const char *key,
	const char *what, enum measure m)
{
	double v;

	for (struct json_items it = json_list(list); json_more(&it);) {
		struct span at = jsondoc_text(in, json_get(it.v, "location"));

		if (jsondoc_number(json_get(it.v, key), &v))
			reading_number(in, &in->record->scalars,
				span_of(arena_printf(
					&in->mem, "%s %.*s", what, (int)MIN(at.n, 512), at.p)),
				m, v, json_get(it.v, key).text);
	}
}

static void put_memray(struct reading *in, struct json_value doc)
{
	put_locations(
		in, json_get(doc, "top_allocations_by_size"), "size", "allocated at", MEASURE_BYTE);
	put_locations(in, json_get(doc, "top_allocations_by_count"), "count", "allocations at",
		MEASURE_COUNT);
}

const struct artifact artifact_memray = {
	.name = "memray",
	.title = "allocations of a program (memray)",
	.summary = "memray stats --json: what was allocated in all, at most, and where",
	.sign = { { MATCH_STRONG, 2, .keys = "total_num_allocations total_bytes_allocated" } },
	.member = {
		{ "", TO_SCALARS,
			.skip = "allocation_size_histogram|top_allocations_by_size|"
				"top_allocations_by_count|metadata" },
		{ .at = "metadata", .to = TO_SCALARS },
		{ "", .call = put_memray },
	},
	.measure = { { "total_bytes_allocated", MEASURE_BYTE },
		{ "metadata.peak_memory", MEASURE_BYTE } },
};
