/*
 * Sheets: the tables that files of runs hold, each kind with columns that mean the same whatever
 * file they come from.
 *
 * A sheet's rows are in a struct table (base/table.h) whose columns are those of its kind; the
 * enums below index them.  Times are ns, sizes bytes; a cell the file does not say is absent.  The
 * originals are counts of whole units or decimals of them, so times are reals: 8.76 ms per sample
 * is 8760000.
 */
#ifndef ANALYZE_TRACE_SHEET_H
#define ANALYZE_TRACE_SHEET_H

#include "base/arena.h"
#include "base/table.h"

/* X(NAME, id, title, columns) */
#define SHEETS(X)                                                    \
	X(OPS, "ops", "Operations", ops)                             \
	X(STAGES, "stages", "Stages", stages)                        \
	X(SWEEP, "sweep", "Batch sizes", sweep)                      \
	X(SUMMARIES, "summaries", "Summaries of metrics", summaries) \
	X(STACKS, "stacks", "Stacks", stacks)                        \
	X(SCORES, "scores", "Scores", scores)                        \
	X(SAMPLES, "samples", "Samples", samples)                    \
	X(MEMORY, "memory", "Memory measurements", memory)           \
	X(MODELS, "models", "Models", models)                        \
	X(GPUS, "gpus", "GPUs", gpus)

enum sheet_kind {
#define X(name, id, title, columns) SHEET_##name,
	SHEETS(X)
#undef X
		SHEET_COUNT_OF
};

/*
 * One row an operation of a profiler's table: op CSVs, key_averages().table(), the lists of
 * profiler summaries.  One row an event in the file is summed up to one row a name.
 */
enum ops_column {
	OPS_NAME,
	OPS_LIST, /* of which list it is: "top_cuda_ops"; absent where there is one list only */
	OPS_CALLS,
	OPS_SELF_CPU,
	OPS_CPU,
	OPS_SELF_DEVICE,
	OPS_DEVICE,
	OPS_SELF_CPU_BYTES,
	OPS_CPU_BYTES,
	OPS_SELF_DEVICE_BYTES,
	OPS_DEVICE_BYTES,
	OPS_SHAPES,
	OPS_STACK,
	OPS_FLOPS,
	OPS_COLUMNS
};

/* One row a stage or timer, as summed up or as listed in the file. */
enum stages_column {
	STAGES_NAME,
	STAGES_CALLS,
	STAGES_TOTAL,
	STAGES_MEAN,
	STAGES_MIN,
	STAGES_MAX,
	STAGES_CPU_BYTES,
	STAGES_PEAK_DEVICE_BYTES,
	STAGES_TOKENS,
	STAGES_BATCH,
	STAGES_SEQUENCE,
	STAGES_STEP,
	STAGES_DEVICE, /* text: "cuda" */
	STAGES_COLUMNS
};

/* One row a batch size.  Of each metric five statistics: SWEEP_AT(metric, stat). */
enum sweep_column { SWEEP_BATCH, SWEEP_SAMPLES, SWEEP_RUNS, SWEEP_STATS };
enum sweep_metric {
	SWEEP_LATENCY_TOTAL, /* ns */
	SWEEP_LATENCY_SAMPLE,
	SWEEP_LATENCY_BATCH,
	SWEEP_SAMPLES_PER_S,
	SWEEP_BATCHES_PER_S,
	SWEEP_CPU_BYTES, /* of the measurement: end less start */
	SWEEP_GPU_BYTES,
	SWEEP_PEAK_GPU_BYTES,
	SWEEP_METRICS
};
enum sweep_stat { SWEEP_MEAN, SWEEP_STD, SWEEP_MIN, SWEEP_MAX, SWEEP_MEDIAN, SWEEP_STAT_COUNT };
#define SWEEP_AT(metric, stat) (SWEEP_STATS + (metric)*SWEEP_STAT_COUNT + (stat))
enum { SWEEP_COLUMNS = SWEEP_STATS + SWEEP_METRICS * SWEEP_STAT_COUNT };

/* One row a metric: the figures the program itself wrote about it, in the metric's own unit. */
enum summaries_column {
	SUMMARIES_NAME,
	SUMMARIES_COUNT,
	SUMMARIES_LATEST,
	SUMMARIES_MEAN,
	SUMMARIES_STD,
	SUMMARIES_MIN,
	SUMMARIES_MAX,
	SUMMARIES_MEDIAN,
	SUMMARIES_P25,
	SUMMARIES_P75,
	SUMMARIES_P95,
	SUMMARIES_TREND, /* text: "increasing" */
	SUMMARIES_COLUMNS
};

/* One row a stack of a sampling profiler. */
enum stacks_column {
	STACKS_FRAMES, /* root first, joined by ';' */
	STACKS_WEIGHT, /* samples, or ns where the file says time */
	STACKS_IS_TIME,
	STACKS_COLUMNS
};

/* One row a distinct score, as a score distribution says. */
enum scores_column { SCORES_SCORE, SCORES_COUNT, SCORES_RATIO, SCORES_COLUMNS };

/* One row a value of a list logged at one step: rewards of a group, scores; absent: null. */
enum samples_column {
	SAMPLES_NAME,
	SAMPLES_STEP,
	SAMPLES_GROUP,  /* 0, 1, ...: the inner list it stands in; absent in a flat list */
	SAMPLES_MEMBER, /* 0, 1, ... in its list */
	SAMPLES_VALUE,
	SAMPLES_COLUMNS
};

/* One row a measurement of device memory. */
enum taken_column {
	TAKEN_TAG,
	TAKEN_TIME, /* ns since 1970, as written; absent when it is no time */
	TAKEN_ALLOCATED,
	TAKEN_RESERVED,
	TAKEN_MAX_ALLOCATED,
	TAKEN_MAX_RESERVED,
	TAKEN_COLUMNS
};

/* One row a model whose need of memory is stated. */
enum models_column {
	MODELS_NAME,
	MODELS_PARAMS,
	MODELS_INFERENCE_BYTES,
	MODELS_TRAINING_BYTES,
	MODELS_REQUIRED_BYTES,
	MODELS_FITS,
	MODELS_COLUMNS
};

/* One row a GPU. */
enum gpus_column {
	GPUS_INDEX,
	GPUS_NAME,
	GPUS_UUID,
	GPUS_MEMORY_BYTES,
	GPUS_COMPUTE, /* text: "8.0" */
	GPUS_COLUMNS
};

/* The columns of each kind: sheet_columns_ops, ... */
#define X(name, id, title, columns) extern const struct column sheet_columns_##columns[];
SHEETS(X)
#undef X

struct sheet_info {
	const char *id, *title;
	const struct column *col;
	size_t ncol;
};
extern const struct sheet_info sheet_infos[SHEET_COUNT_OF];

struct sheet {
	enum sheet_kind kind;
	int artifact;     /* index in the record's artifacts */
	int64_t left_out; /* rows beyond the limit of its reader, which are not in it */
	struct table table;
};

/* An empty sheet with the columns of its kind, in mem. */
struct sheet *sheet_new(struct arena *mem, enum sheet_kind kind, int artifact);

#endif
