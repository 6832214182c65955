/*
 * The tables of `stages`, column by column.  Data only.
 */
#include "analyze/answer/stages/stages.h"
#include "analyze/query/columns.h"

static const char hta[] = "HTA get_gpu_user_annotation_breakdown; torch record_function";

#define COMMON(what)                                                                              \
	[STAGE_TOTAL] = { "total_ns", "total", "Sum of the durations of its calls.", hta,         \
		CELL_INT, UNIT_NS, 0 },                                                           \
	[STAGE_SHARE] = COL_REAL("share_ratio", "%",                                              \
		"total_ns over that of all roots of the table.", UNIT_RATIO, 0),                  \
	[STAGE_SELF] = COL_INT("self_ns", "self",                                                 \
		"total_ns less that of the " what " directly below it.", UNIT_NS, 0),             \
	[STAGE_CALLS] = COL_INT("calls", "calls", "Calls by that path.", UNIT_COUNT, 0),          \
	[STAGE_MEAN] = COL_REAL("mean_ns", "avg", "total_ns over calls.", UNIT_NS, 0),            \
	[STAGE_NAME] =                                                                            \
		COL_TEXT("name", "name", "Its name, indented by its depth.", COLUMN_ELASTIC),     \
	[STAGE_DEPTH] = COL_INT(                                                                  \
		"depth", "depth", "Ancestors; roots have none.", UNIT_COUNT, COLUMN_HIDDEN),      \
	[STAGE_PATH] = COL_TEXT(                                                                  \
		"path", "path", "Names from the root to it, joined by ' / '.", COLUMN_HIDDEN),    \
	[STAGE_MIN] = COL_INT("min_ns", "min", "Shortest call.", UNIT_NS, COLUMN_HIDDEN),         \
	[STAGE_MAX] = COL_INT("max_ns", "max", "Longest call.", UNIT_NS, COLUMN_HIDDEN),          \
	[STAGE_PER_STEP] = COL_REAL("per_step_ns", "per step",                                    \
		"total_ns over the number of steps looked at.", UNIT_NS, COLUMN_HIDDEN),          \
	[STAGE_P25] = COL_REAL("p25_ns", "p25", "A quarter of its calls take at most this.",      \
		UNIT_NS, COLUMN_HIDDEN),                                                          \
	[STAGE_MEDIAN] = COL_REAL("median_ns", "median", "Half of its calls take at most this.",  \
		UNIT_NS, COLUMN_HIDDEN),                                                          \
	[STAGE_P75] = COL_REAL("p75_ns", "p75", "Three quarters of its calls take at most this.", \
		UNIT_NS, COLUMN_HIDDEN)

const struct column stages_host_columns[STAGE_COLUMNS] = {
	COMMON("stages"),
	[STAGE_DEVICE_SUM] = COL_INT("device_sum_ns", "GPU work",
		"Sum of the durations of device work that was launched inside, on the same "
		"thread; what a backward pass launches on its own thread is not in it.",
		UNIT_NS, 0),
	[STAGE_DEVICE_BUSY] = COL_INT("device_busy_ns", "GPU busy",
		"How long devices were busy while it ran, whoever launched the work: the part "
		"of the union of device work inside its calls, summed over devices.",
		UNIT_NS, 0),
	[STAGE_DEVICE] = COL_INT("device", "device", "Not here.", UNIT_NONE, COLUMN_HIDDEN),
	[STAGE_SELF_CPU] = COL_INT("self_cpu_ns", "self CPU",
		"Duration less that of the calls directly below, operators and runtime calls "
		"too: as in top.",
		UNIT_NS, COLUMN_HIDDEN),
	[STAGE_KIND] = COL_TEXT("kind", "kind",
		"user_annotation; cpu_op in traces of 2021, which have no annotations.",
		COLUMN_HIDDEN),
};

const struct column stages_gpu_columns[STAGE_COLUMNS] = {
	COMMON("regions"),
	[STAGE_DEVICE_SUM] =
		COL_INT("device_sum_ns", "GPU work", "Not here.", UNIT_NS, COLUMN_HIDDEN),
	[STAGE_DEVICE_BUSY] = { "device_busy_ns", "busy",
		"The part of its calls in which the device is busy. Kineto makes these regions "
		"from the first to the last work launched in the annotation and widens them by "
		"1 ns at both ends; that is undone here.",
		"Kineto output_json.cpp, gpu_user_annotation", CELL_INT, UNIT_NS, 0 },
	[STAGE_DEVICE] = COL_INT("device", "dev", "args.device, else the pid.", UNIT_NONE, 0),
	[STAGE_SELF_CPU] = COL_INT("self_cpu_ns", "self CPU", "Not here.", UNIT_NS, COLUMN_HIDDEN),
	[STAGE_KIND] = COL_TEXT("kind", "kind", "gpu_user_annotation.", COLUMN_HIDDEN),
};

const struct column stages_module_columns[STAGE_COLUMNS] = {
	COMMON("modules"),
	[STAGE_DEVICE_SUM] = COL_INT("device_sum_ns", "GPU work",
		"Sum of the durations of device work that was launched inside, on the same "
		"thread: the forward pass.",
		UNIT_NS, 0),
	[STAGE_DEVICE_BUSY] = COL_INT("device_busy_ns", "GPU busy",
		"How long devices were busy while it ran.", UNIT_NS, COLUMN_HIDDEN),
	[STAGE_DEVICE] = COL_INT("device", "device", "Not here.", UNIT_NONE, COLUMN_HIDDEN),
	[STAGE_SELF_CPU] = COL_INT("self_cpu_ns", "self CPU", "Not here.", UNIT_NS, COLUMN_HIDDEN),
	[STAGE_KIND] = COL_TEXT("kind", "kind",
		"python_function, or cpu_op when it is from the Module Hierarchy of operators: "
		"then times are of operators, self CPU.",
		COLUMN_HIDDEN),
};
