/*
 * The columns of sheets.
 */
#include "analyze/trace/sheet.h"

#include "base/compiler.h"

#define AS_WRITTEN "As the file says; not computed here."

const struct column sheet_columns_ops[] = {
	{ "name", "Name", "Operation or kernel.", NULL, CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC },
	{ "list", "List", "The list of the file it stands in.", NULL, CELL_TEXT, UNIT_NONE, 0 },
	{ "calls", "Calls", "Calls, summed over rows of one name.", NULL, CELL_INT, UNIT_COUNT, 0 },
	{ "self_cpu_ns", "Self CPU", AS_WRITTEN, NULL, CELL_REAL, UNIT_NS, 0 },
	{ "cpu_total_ns", "CPU total", AS_WRITTEN, NULL, CELL_REAL, UNIT_NS, 0 },
	{ "self_device_ns", "Self device", AS_WRITTEN, NULL, CELL_REAL, UNIT_NS, 0 },
	{ "device_total_ns", "Device total", AS_WRITTEN, NULL, CELL_REAL, UNIT_NS, 0 },
	{ "self_cpu_bytes", "Self CPU mem", AS_WRITTEN, NULL, CELL_REAL, UNIT_BYTES, 0 },
	{ "cpu_bytes", "CPU mem", AS_WRITTEN, NULL, CELL_REAL, UNIT_BYTES, 0 },
	{ "self_device_bytes", "Self device mem", AS_WRITTEN, NULL, CELL_REAL, UNIT_BYTES, 0 },
	{ "device_bytes", "Device mem", AS_WRITTEN, NULL, CELL_REAL, UNIT_BYTES, 0 },
	{ "shapes", "Shapes", "Input shapes.", NULL, CELL_TEXT, UNIT_NONE, 0 },
	{ "stack", "Stack", "Source location, innermost first, joined by ';'.", NULL, CELL_TEXT,
		UNIT_NONE, 0 },
	{ "flops", "FLOPs", AS_WRITTEN, NULL, CELL_REAL, UNIT_COUNT, 0 },
};
_Static_assert(COUNT_OF(sheet_columns_ops) == OPS_COLUMNS, "ops");

const struct column sheet_columns_stages[] = {
	{ "stage", "Stage", "Stage or timer.", NULL, CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC },
	{ "calls", "Calls", "How often it ran.", NULL, CELL_INT, UNIT_COUNT, 0 },
	{ "total_ns", "Total", "Sum of its times.", NULL, CELL_REAL, UNIT_NS, 0 },
	{ "mean_ns", "Mean", "Mean of its times.", NULL, CELL_REAL, UNIT_NS, 0 },
	{ "min_ns", "Min", "Shortest.", NULL, CELL_REAL, UNIT_NS, 0 },
	{ "max_ns", "Max", "Longest.", NULL, CELL_REAL, UNIT_NS, 0 },
	{ "cpu_bytes", "CPU mem", AS_WRITTEN, NULL, CELL_REAL, UNIT_BYTES, 0 },
	{ "peak_device_bytes", "Device peak", AS_WRITTEN, NULL, CELL_REAL, UNIT_BYTES, 0 },
	{ "tokens", "Tokens", AS_WRITTEN, NULL, CELL_INT, UNIT_COUNT, 0 },
	{ "batch_size", "Batch", AS_WRITTEN, NULL, CELL_INT, UNIT_COUNT, 0 },
	{ "sequence_length", "Sequence", AS_WRITTEN, NULL, CELL_INT, UNIT_COUNT, 0 },
	{ "step", "Step", AS_WRITTEN, NULL, CELL_INT, UNIT_NONE, 0 },
	{ "device", "Device", AS_WRITTEN, NULL, CELL_TEXT, UNIT_NONE, 0 },
};
_Static_assert(COUNT_OF(sheet_columns_stages) == STAGES_COLUMNS, "stages");

#define STATS(key, title, unit)                                                                  \
	{ key "_mean" unit##_END, title, "Mean over runs.", NULL, CELL_REAL, UNIT_##unit, 0 },   \
		{ key "_std" unit##_END, title " std", "Standard deviation over runs.", NULL,    \
			CELL_REAL, UNIT_##unit, 0 },                                             \
		{ key "_min" unit##_END, title " min", "Smallest over runs.", NULL, CELL_REAL,   \
			UNIT_##unit, 0 },                                                        \
		{ key "_max" unit##_END, title " max", "Largest over runs.", NULL, CELL_REAL,    \
			UNIT_##unit, 0 },                                                        \
	{                                                                                        \
		key "_median" unit##_END, title " median", "Median over runs.", NULL, CELL_REAL, \
			UNIT_##unit, 0                                                           \
	}
#define NS_END    "_ns"
#define BYTES_END "_bytes"
#define NONE_END  ""

const struct column sheet_columns_sweep[] = {
	{ "batch_size", "Batch", "Samples in a batch.", NULL, CELL_INT, UNIT_COUNT, 0 },
	{ "samples", "Samples", "Samples in a run.", NULL, CELL_INT, UNIT_COUNT, 0 },
	{ "runs", "Runs", "Runs measured.", NULL, CELL_INT, UNIT_COUNT, 0 },
	STATS("latency_total", "Total latency", NS),
	STATS("latency_per_sample", "Latency/sample", NS),
	STATS("latency_per_batch", "Latency/batch", NS),
	STATS("samples_per_s", "Samples/s", NONE),
	STATS("batches_per_s", "Batches/s", NONE),
	STATS("cpu_used", "CPU mem used", BYTES),
	STATS("gpu_used", "GPU mem used", BYTES),
	STATS("gpu_peak", "GPU mem peak", BYTES),
};
_Static_assert(COUNT_OF(sheet_columns_sweep) == SWEEP_COLUMNS, "sweep");

const struct column sheet_columns_summaries[] = {
	{ "metric", "Metric", "Its key.", NULL, CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC },
	{ "count", "Count", AS_WRITTEN, NULL, CELL_INT, UNIT_COUNT, 0 },
	{ "latest", "Latest", AS_WRITTEN, NULL, CELL_REAL, UNIT_NONE, 0 },
	{ "mean", "Mean", AS_WRITTEN, NULL, CELL_REAL, UNIT_NONE, 0 },
	{ "std", "Std", AS_WRITTEN, NULL, CELL_REAL, UNIT_NONE, 0 },
	{ "min", "Min", AS_WRITTEN, NULL, CELL_REAL, UNIT_NONE, 0 },
	{ "max", "Max", AS_WRITTEN, NULL, CELL_REAL, UNIT_NONE, 0 },
	{ "median", "Median", AS_WRITTEN, NULL, CELL_REAL, UNIT_NONE, 0 },
	{ "p25", "p25", AS_WRITTEN, NULL, CELL_REAL, UNIT_NONE, 0 },
	{ "p75", "p75", AS_WRITTEN, NULL, CELL_REAL, UNIT_NONE, 0 },
	{ "p95", "p95", AS_WRITTEN, NULL, CELL_REAL, UNIT_NONE, 0 },
	{ "trend", "Trend", AS_WRITTEN, NULL, CELL_TEXT, UNIT_NONE, 0 },
};
_Static_assert(COUNT_OF(sheet_columns_summaries) == SUMMARIES_COLUMNS, "summaries");

const struct column sheet_columns_stacks[] = {
	{ "stack", "Stack", "Frames, root first, joined by ';'.", NULL, CELL_TEXT, UNIT_NONE,
		COLUMN_ELASTIC },
	{ "weight", "Weight", "Samples, or ns where the file says time.", NULL, CELL_REAL,
		UNIT_NONE, 0 },
	{ "is_time", "Time", "The weight is ns.", NULL, CELL_BOOL, UNIT_NONE, 0 },
};
_Static_assert(COUNT_OF(sheet_columns_stacks) == STACKS_COLUMNS, "stacks");

const struct column sheet_columns_scores[] = {
	{ "score", "Score", "A distinct score.", NULL, CELL_REAL, UNIT_NONE, 0 },
	{ "count", "Count", AS_WRITTEN, NULL, CELL_INT, UNIT_COUNT, 0 },
	{ "count_ratio", "Share", AS_WRITTEN, NULL, CELL_REAL, UNIT_RATIO, 0 },
};
_Static_assert(COUNT_OF(sheet_columns_scores) == SCORES_COLUMNS, "scores");

const struct column sheet_columns_samples[] = {
	{ "name", "Name", "The key of the list.", NULL, CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC },
	{ "step", "Step", "Where it was logged.", NULL, CELL_REAL, UNIT_NONE, 0 },
	{ "group", "Group", "The inner list it stands in.", NULL, CELL_INT, UNIT_NONE, 0 },
	{ "member", "Member", "Its place in that list.", NULL, CELL_INT, UNIT_NONE, 0 },
	{ "value", "Value", AS_WRITTEN, NULL, CELL_REAL, UNIT_NONE, 0 },
};
_Static_assert(COUNT_OF(sheet_columns_samples) == SAMPLES_COLUMNS, "samples");

const struct column sheet_columns_memory[] = {
	{ "tag", "Tag", "What the measurement was taken for.", NULL, CELL_TEXT, UNIT_NONE, 0 },
	{ "time_ns", "Time", "When, since 1970, as written.", NULL, CELL_INT, UNIT_TIMESTAMP, 0 },
	{ "allocated_bytes", "Allocated", AS_WRITTEN, NULL, CELL_REAL, UNIT_BYTES, 0 },
	{ "reserved_bytes", "Reserved", AS_WRITTEN, NULL, CELL_REAL, UNIT_BYTES, 0 },
	{ "max_allocated_bytes", "Max allocated", AS_WRITTEN, NULL, CELL_REAL, UNIT_BYTES, 0 },
	{ "max_reserved_bytes", "Max reserved", AS_WRITTEN, NULL, CELL_REAL, UNIT_BYTES, 0 },
};
_Static_assert(COUNT_OF(sheet_columns_memory) == TAKEN_COLUMNS, "memory");

const struct column sheet_columns_models[] = {
	{ "model", "Model", "Its name.", NULL, CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC },
	{ "params", "Parameters", AS_WRITTEN, NULL, CELL_REAL, UNIT_COUNT, 0 },
	{ "inference_bytes", "Inference", AS_WRITTEN, NULL, CELL_REAL, UNIT_BYTES, 0 },
	{ "training_bytes", "Training", AS_WRITTEN, NULL, CELL_REAL, UNIT_BYTES, 0 },
	{ "required_bytes", "Required", AS_WRITTEN, NULL, CELL_REAL, UNIT_BYTES, 0 },
	{ "fits", "Fits", AS_WRITTEN, NULL, CELL_BOOL, UNIT_NONE, 0 },
};
_Static_assert(COUNT_OF(sheet_columns_models) == MODELS_COLUMNS, "models");

const struct column sheet_columns_gpus[] = {
	{ "index", "GPU", "Its number.", NULL, CELL_INT, UNIT_NONE, 0 },
	{ "name", "Name", "Its name.", NULL, CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC },
	{ "uuid", "UUID", AS_WRITTEN, NULL, CELL_TEXT, UNIT_NONE, 0 },
	{ "memory_bytes", "Memory", AS_WRITTEN, NULL, CELL_REAL, UNIT_BYTES, 0 },
	{ "compute_capability", "Compute", AS_WRITTEN, NULL, CELL_TEXT, UNIT_NONE, 0 },
};
_Static_assert(COUNT_OF(sheet_columns_gpus) == GPUS_COLUMNS, "gpus");

const struct sheet_info sheet_infos[SHEET_COUNT_OF] = {
#define X(name, id, title, columns) \
	{ id, title, sheet_columns_##columns, COUNT_OF(sheet_columns_##columns) },
	SHEETS(X)
#undef X
};

struct sheet *sheet_new(struct arena *mem, enum sheet_kind kind, int artifact)
{
	const struct sheet_info *info = &sheet_infos[kind];
	struct sheet *s = arena_alloc(mem, sizeof(*s));

	*s = (struct sheet){ .kind = kind, .artifact = artifact };
	s->table = (struct table){ .id = info->id,
		.title = info->title,
		.input = -1,
		.col = info->col,
		.ncol = info->ncol,
		.mem = mem };
	return s;
}
