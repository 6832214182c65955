/*
 * The tables of `smi`, column by column.  Data only.
 */
#include "analyze/answer/smi/smi.h"
#include "analyze/query/columns.h"

static const char nvml[] = "nvidia-smi --help-query-gpu; NVML";

#define HIDDEN(key, title, doc, unit) COL_REAL(key, title, doc, unit, COLUMN_HIDDEN)

const struct column smi_gpu_columns[SGPU_COLUMNS] = {
	[SGPU_GPU] = COL_TEXT("gpu", "GPU",
		"Which one: its index or UUID where that was queried, else the order of rows.", 0),
	[SGPU_NAME] = COL_TEXT("name", "name", "Its name.", 0),
	[SGPU_UTIL] = { "utilization_ratio", "util",
		"Mean of utilization.gpu, weighted by the time between samples: the share of time "
		"in which at least one kernel ran. It is not how full the GPU was: one tiny kernel "
		"counts as 100 %.",
		nvml, CELL_REAL, UNIT_RATIO, 0 },
	[SGPU_SPARK] = COL_TEXT("over_time", "over time",
		"utilization.gpu from first to last sample, each character the mean of a stretch; "
		"for people only.",
		0),
	[SGPU_P10] = COL_REAL(
		"utilization_p10_ratio", "p10", "10 % of samples are at most this.", UNIT_RATIO, 0),
	[SGPU_BUSY] = { "busy80_ratio", ">= 80%",
		"Share of time with a utilization of at least 80 %, the documents' target.", NULL,
		CELL_REAL, UNIT_RATIO, 0 },
	[SGPU_IDLE] = COL_REAL("idle_ratio", "idle",
		"Share of time with a utilization of at most 5 %.", UNIT_RATIO, 0),
	[SGPU_PEAK] = COL_REAL("peak_used_bytes", "peak mem",
		"Largest memory.used; everything on the GPU, also of other programs.", UNIT_BYTES,
		0),
	[SGPU_PEAK_RATIO] = COL_REAL("peak_ratio", "of GPU",
		"peak_used_bytes over memory.total, else over memory.used + memory.free.",
		UNIT_RATIO, 0),
	[SGPU_TEMPERATURE] = COL_REAL("temperature_max_c", "max C",
		"Highest temperature.gpu in degrees Celsius.", UNIT_NONE, 0),
	[SGPU_POWER] = COL_REAL("power_mean_w", "mean W",
		"Mean of power.draw in watts, weighted by time.", UNIT_NONE, 0),
	[SGPU_THROTTLED] = COL_REAL("throttled_ratio", "slow clock",
		"Share of the busy time (utilization >= 80 %) in which clocks.sm was below 90 % of "
		"clocks.max.sm, else of the highest clock seen: a hint at throttling by heat or "
		"power.",
		UNIT_RATIO, 0),
	[SGPU_VERDICT] = COL_TEXT("verdict", "verdict",
		"busy: the mean utilization reaches --target; under-used: it does not, CPU-bound "
		"below 70 %, seriously below 50 %; idle: it never worked.",
		0),
	[SGPU_SAMPLES] =
		COL_INT("samples", "samples", "Samples looked at.", UNIT_COUNT, COLUMN_HIDDEN),
	[SGPU_SECONDS] = HIDDEN("span_s", "span",
		"Seconds the samples stand for: half the time to each neighbour; a pause of more "
		"than 5 usual intervals counts as one.",
		UNIT_NONE),
	[SGPU_INTERVAL] =
		HIDDEN("interval_s", "interval", "Median seconds between samples.", UNIT_NONE),
	[SGPU_P50] = HIDDEN("utilization_p50_ratio", "p50", "Median of samples.", UNIT_RATIO),
	[SGPU_UTIL_MEMORY] = { "memory_utilization_ratio", "memory utilization",
		"Mean of utilization.memory: the share of time in which memory was read or written. "
		"It is not how much is in use.",
		nvml, CELL_REAL, UNIT_RATIO, COLUMN_HIDDEN },
	[SGPU_USED] = HIDDEN("mean_used_bytes", "mean memory",
		"Mean of memory.used, weighted by time.", UNIT_BYTES),
	[SGPU_CAPACITY] = HIDDEN("capacity_bytes", "capacity",
		"memory.total, else memory.used + memory.free.", UNIT_BYTES),
	[SGPU_GROWTH] = { "used_bytes_per_s", "growth",
		"Slope of memory.used: the median of slopes between block medians.",
		"Theil 1950, Sen 1968", CELL_REAL, UNIT_BYTES, COLUMN_HIDDEN },
	[SGPU_GROWTH_P] = { "growth_p_value", "p", "Of no growth: the Mann-Kendall test.",
		"Mann 1945, Kendall 1975", CELL_REAL, UNIT_NONE, COLUMN_HIDDEN },
	[SGPU_TEMPERATURE_MEAN] = HIDDEN("temperature_mean_c", "mean C",
		"Mean of temperature.gpu, weighted by time.", UNIT_NONE),
	[SGPU_POWER_MAX] = HIDDEN("power_max_w", "max W", "Highest power.draw.", UNIT_NONE),
	[SGPU_POWER_LIMIT] = HIDDEN("power_limit_w", "limit W", "power.limit.", UNIT_NONE),
	[SGPU_ENERGY] =
		HIDDEN("energy_j", "energy J", "power_mean_w x span_s, in joules.", UNIT_NONE),
	[SGPU_CLOCK] = HIDDEN(
		"clock_mean_hz", "mean clock", "Mean of clocks.sm, weighted by time.", UNIT_NONE),
	[SGPU_CLOCK_TOP] = HIDDEN("clock_top_hz", "top clock",
		"clocks.max.sm, else the highest clocks.sm.", UNIT_NONE),
	[SGPU_TRIMMED] = COL_INT("trimmed", "trimmed",
		"Samples left out: idle ones before the first and after the last that is not.",
		UNIT_COUNT, COLUMN_HIDDEN),
	[SGPU_GAPS] = COL_INT("pauses", "pauses",
		"Pauses of more than 5 usual intervals: the recorder was stopped.", UNIT_COUNT,
		COLUMN_HIDDEN),
	[SGPU_MISSING] = COL_INT("missing", "missing",
		"Values that are none: [N/A], [Not Supported], ERR!.", UNIT_COUNT, COLUMN_HIDDEN),
};

const struct column smi_time_columns[STIME_COLUMNS] = {
	[STIME_GPU] = COL_TEXT("gpu", "GPU", "Which one.", 0),
	[STIME_AT] = COL_INT(
		"at_ns", "at", "Begin of the stretch, from the first sample left.", UNIT_NS, 0),
	[STIME_UTIL] = COL_REAL("utilization_ratio", "utilization",
		"Mean of utilization.gpu in the stretch, weighted by time.", UNIT_RATIO, 0),
	[STIME_USED] =
		COL_REAL("used_bytes", "memory", "Mean of memory.used there.", UNIT_BYTES, 0),
	[STIME_TEMPERATURE] =
		COL_REAL("temperature_c", "C", "Mean of temperature.gpu there.", UNIT_NONE, 0),
	[STIME_POWER] = COL_REAL("power_w", "W", "Mean of power.draw there.", UNIT_NONE, 0),
	[STIME_CLOCK] = HIDDEN("clock_hz", "clock", "Mean of clocks.sm there.", UNIT_NONE),
	[STIME_UTIL_MEMORY] = HIDDEN("memory_utilization_ratio", "memory utilization",
		"Mean of utilization.memory there.", UNIT_RATIO),
	[STIME_SAMPLES] =
		COL_INT("samples", "samples", "Samples there.", UNIT_COUNT, COLUMN_HIDDEN),
	[STIME_AFTER_PAUSE] = COL_BOOL("is_after_pause", "after a pause",
		"No sample for more than 5 usual intervals before this stretch: the recorder was "
		"stopped, so a line through it would be invented.",
		COLUMN_HIDDEN),
};

const struct column smi_trace_columns[STRACE_COLUMNS] = {
	[STRACE_TRACE] = COL_TEXT("trace", "trace", "The file.", COLUMN_ELASTIC),
	[STRACE_DEVICE] = COL_INT("device", "device", "Its number in the trace.", UNIT_NONE, 0),
	[STRACE_BUSY] = COL_INT("device_busy_ns", "busy",
		"Union of kernels, copies and sets over all streams.", UNIT_NS, 0),
	[STRACE_SPAN] = COL_INT("device_span_ns", "span",
		"First start to last end of device work in the trace.", UNIT_NS, 0),
	[STRACE_RATIO] = COL_REAL("busy_ratio", "GPU busy",
		"busy over span: what utilization.gpu would show if its samples were that short.",
		UNIT_RATIO, 0),
};
