/*
 * `summary`: the columns of its tables, with what each means.
 */
#include "analyze/answer/summary/summary.h"

#define COLUMN(key, title, doc, source, type, unit, flags)               \
	{                                                                \
		key, title, doc, source, CELL_##type, UNIT_##unit, flags \
	}
#define HIDDEN COLUMN_HIDDEN
#define TB     "tb_plugin, gpu_metrics_parser.py"
#define TL     "TraceLens, gpu_event_analyser.py"
#define CANARY "rlhf-canary, notebook 02, quick diagnosis"

static const struct column overview[OVER_COLUMNS] = {
	[OVER_STEPS] = COLUMN("steps_text", "steps",
		"How many steps, their numbers, the median and the range of their durations.", NULL,
		TEXT, NONE, 0),
	[OVER_FIRST] = COLUMN("first_text", "first step",
		"How long the first step of the run took, against the others.", NULL, TEXT, NONE,
		0),
	[OVER_LAST] = COLUMN(
		"last_text", "last step", "Steps that were cut off, if any.", NULL, TEXT, NONE, 0),
	[OVER_BUSY] =
		COLUMN("busy_text", "GPU busy", "busy_ratio, for people.", NULL, TEXT, NONE, 0),
	[OVER_BOUND] = COLUMN("bound_text", "bound by",
		"The primary bottleneck class and its share, and the shares of the others.", NULL,
		TEXT, NONE, 0),
	[OVER_LAUNCH_TEXT] = COLUMN("launch_text", "launches",
		"Device work and launching calls, per step.", NULL, TEXT, NONE, 0),
	[OVER_MEMORY] = COLUMN("memory_text", "memory peak",
		"The largest amount allocated on each device, and reserved.", NULL, TEXT, NONE, 0),
	[OVER_NSTEP] = COLUMN("steps", "steps", "Steps looked at; absent when the trace has none.",
		NULL, INT, COUNT, HIDDEN),
	[OVER_FIRST_STEP] = COLUMN(
		"first_step", "first", "Number of the first of them.", NULL, INT, NONE, HIDDEN),
	[OVER_LAST_STEP] =
		COLUMN("last_step", "last", "Number of the last of them.", NULL, INT, NONE, HIDDEN),
	[OVER_MEDIAN] = COLUMN("step_median_ns", "median step",
		"Median duration of the steps looked at; the first and the last are set aside when "
		"five or more remain.",
		NULL, REAL, NS, HIDDEN),
	[OVER_MIN] = COLUMN("step_min_ns", "shortest step", "Of the steps the median counts.", NULL,
		INT, NS, HIDDEN),
	[OVER_MAX] = COLUMN("step_max_ns", "longest step", "Of the steps the median counts.", NULL,
		INT, NS, HIDDEN),
	[OVER_MAD] = COLUMN("step_mad_ns", "spread",
		"Median absolute deviation of their durations from the median.", NULL, REAL, NS,
		HIDDEN),
	[OVER_FIRST_RATIO] = COLUMN("first_step_ratio", "first step",
		"Duration of the run's first step over the median of all other steps looked at; from "
		"three steps on.",
		NULL, REAL, NONE, HIDDEN),
	[OVER_SLOW_FIRST] = COLUMN("is_slow_first", "slow first", "first_step_ratio is above 1.5.",
		NULL, BOOL, NONE, HIDDEN),
	[OVER_INCOMPLETE] = COLUMN("incomplete_steps", "incomplete",
		"Steps that were cut off by the end of recording.", "tb_plugin, event_parser.py",
		INT, COUNT, HIDDEN),
	[OVER_OUTLIERS] = COLUMN("outliers", "outliers",
		"Steps 10 % or more and 5 standard deviations (1.4826 MAD) or more off the median.",
		NULL, INT, COUNT, HIDDEN),
	[OVER_SUM] = COLUMN("steps_ns", "time of steps",
		"Sum of the durations of the steps; without steps, the span of the trace.", NULL,
		INT, NS, HIDDEN),
	[OVER_BUSY_RATIO] = COLUMN("busy_ratio", "GPU busy",
		"Time in which anything runs on the device over the time of the steps; mean of the "
		"devices.",
		NULL, REAL, RATIO, HIDDEN),
	[OVER_PRIMARY] = COLUMN("primary_bound", "primary bottleneck",
		"compute, memory, I/O or CPU: the largest of the four shares; compute only where "
		"busy_ratio is 80% or more.",
		NULL, TEXT, NONE, HIDDEN),
	[OVER_COMPUTE_RATIO] = COLUMN("compute_bound_ratio", "compute",
		"Role kernel, less the share of kernels that only copy or cast, over the time of the "
		"steps.",
		NULL, REAL, RATIO, HIDDEN),
	[OVER_MEMORY_RATIO] = COLUMN("memory_bound_ratio", "memory",
		"Kernels that only copy or cast, role memset, and copies within the device.", NULL,
		REAL, RATIO, HIDDEN),
	[OVER_IO_RATIO] = COLUMN("io_bound_ratio", "I/O",
		"Role memcpy but copies within the device, role communication, role data loader.",
		NULL, REAL, RATIO, HIDDEN),
	[OVER_CPU_RATIO] = COLUMN("cpu_bound_ratio", "CPU",
		"Roles runtime, CPU exec and other; unknown when the host was not recorded.", NULL,
		REAL, RATIO, HIDDEN),
	[OVER_LAUNCHES] = COLUMN("launches", "launches",
		"Calls that launched device work in the steps.", NULL, INT, COUNT, HIDDEN),
	[OVER_LAUNCHES_PER_STEP] = COLUMN("launches_per_step", "launches per step",
		"launches over steps.", NULL, REAL, NONE, HIDDEN),
	[OVER_GRAPHS] = COLUMN("graph_launches", "graph launches",
		"Calls that launched more than one piece of device work.", NULL, INT, COUNT,
		HIDDEN),
	[OVER_KERNELS] = COLUMN(
		"kernels", "kernels", "Kernels launched in the steps.", NULL, INT, COUNT, HIDDEN),
	[OVER_UNLINKED] = COLUMN("unlinked", "unlinked",
		"Device work in the steps whose launch is not in the trace.", NULL, INT, COUNT,
		HIDDEN),
	[OVER_CPU_SELF] = COLUMN("cpu_total_ns", "self CPU time",
		"Sum of self CPU times over the op tree with runtime calls, in the whole trace or in "
		"--steps.",
		"torch.autograd.profiler_util, Self CPU time total", INT, NS, HIDDEN),
	[OVER_DEVICE_SUM] = COLUMN("device_sum_ns", "device time (sum)",
		"Sum of durations of device work, in the whole trace or in --steps; overlaps count "
		"more than once.",
		"torch.autograd.profiler_util, Self CUDA time total", INT, NS, HIDDEN),
};

static const struct column devices[DEV_COLUMNS] = {
	[DEV_DEVICE] = COLUMN("device", "device", "args.device, else the pid.", NULL, INT, NONE, 0),
	[DEV_STEP] =
		COLUMN("step_mean_ns", "step", "Mean duration of the steps.", NULL, REAL, NS, 0),
	[DEV_COMPUTE_RATIO] =
		COLUMN("compute_ratio", "compute", "compute_ns over steps_ns.", TL, REAL, RATIO, 0),
	[DEV_COMM_RATIO] = COLUMN("exposed_comm_ratio", "exp comm",
		"exposed_comm_ns over steps_ns.", TL, REAL, RATIO, 0),
	[DEV_MEMCPY_RATIO] = COLUMN("exposed_memcpy_ratio", "exp copy",
		"exposed_memcpy_ns over steps_ns.", TL, REAL, RATIO, 0),
	[DEV_IDLE_RATIO] =
		COLUMN("idle_ratio", "idle", "idle_ns over steps_ns.", TL, REAL, RATIO, 0),
	[DEV_UTILIZATION] = COLUMN("utilization_ratio", "util",
		"Union of kernels over the time of the steps: GPU utilisation as the TensorBoard "
		"plugin has it.",
		TB, REAL, RATIO, 0),
	[DEV_SM] = COLUMN("sm_efficiency_ratio", "est. SM",
		"Estimated SM efficiency: at each moment the sum of `blocks per SM` of the kernels "
		"that run, at most 1; its mean over the time of the steps. Absent when no kernel says "
		"it.",
		TB, REAL, RATIO, 0),
	[DEV_OCCUPANCY] = COLUMN("occupancy_ratio", "est. occ",
		"Mean of `est. achieved occupancy %` over kernels launched in the steps, weighted by "
		"duration. Absent when no kernel says it.",
		TB, REAL, RATIO, 0),
	[DEV_TENSOR] = COLUMN("tensor_core_ratio", "tensor",
		"Share of kernel time in kernels whose names say that they use tensor cores; at "
		"least. Absent when none does and some may.",
		"tb_plugin, tensor_core.py, with newer names", REAL, RATIO, 0),
	[DEV_TENSOR_MOST] = COLUMN("tensor_core_most_ratio", "tensor, at most",
		"The same with kernels whose names do not say it.", NULL, REAL, RATIO, HIDDEN),
	[DEV_BLOCKS] = COLUMN("blocks_per_sm", "blocks per SM",
		"Mean over kernels, weighted by duration.", TB, REAL, NONE, HIDDEN),
	[DEV_WALL] =
		COLUMN("steps_ns", "time of steps", "Sum over the steps.", NULL, INT, NS, HIDDEN),
	[DEV_COMPUTE] = COLUMN("compute_ns", "compute",
		"Time in the steps in which a kernel that is no collective, or a set, runs.", TL,
		INT, NS, HIDDEN),
	[DEV_COMM] = COLUMN("exposed_comm_ns", "exposed comm",
		"Time in which a collective runs and nothing computes.", TL, INT, NS, HIDDEN),
	[DEV_MEMCPY] = COLUMN("exposed_memcpy_ns", "exposed copies",
		"Time in which a copy runs and neither a kernel nor a set.", TL, INT, NS, HIDDEN),
	[DEV_IDLE] = COLUMN("idle_ns", "idle", "Time in which nothing runs.", TL, INT, NS, HIDDEN),
	[DEV_BUSY] = COLUMN("busy_ns", "busy", "steps_ns less idle_ns.", TL, INT, NS, HIDDEN),
	[DEV_BUSY_RATIO] =
		COLUMN("busy_ratio", "busy", "busy_ns over steps_ns.", NULL, REAL, RATIO, HIDDEN),
};

static const struct column runs[RUN_COLUMNS] = {
	[RUN_DEVICE] = COLUMN("device", "device", "args.device, else the pid.", NULL, INT, NONE, 0),
	[RUN_SPAN] = COLUMN("span_ns", "span",
		"From the first start to the last end of its device work, in the whole trace.", TL,
		INT, NS, 0),
	[RUN_COMPUTE] = COLUMN("compute_ns", "compute",
		"Time in the span in which a kernel that is no collective, or a set, runs.", TL,
		INT, NS, 0),
	[RUN_COMM] = COLUMN("exposed_comm_ns", "exp comm",
		"Time in which a collective runs and nothing computes.", TL, INT, NS, 0),
	[RUN_MEMCPY] = COLUMN("exposed_memcpy_ns", "exp copy",
		"Time in which a copy runs and neither a kernel nor a set.", TL, INT, NS, 0),
	[RUN_IDLE] = COLUMN(
		"idle_ns", "idle", "Time in the span in which nothing runs.", TL, INT, NS, 0),
	[RUN_BUSY_RATIO] =
		COLUMN("busy_ratio", "busy", "busy_ns over span_ns.", NULL, REAL, RATIO, 0),
	[RUN_EVENTS] =
		COLUMN("device_events", "events", "Kernels, copies, sets.", NULL, INT, COUNT, 0),
	[RUN_STREAMS] = COLUMN("streams", "streams", "Streams with work.", NULL, INT, COUNT, 0),
	[RUN_FIRST] = COLUMN("first_ns", "first", "First start.", NULL, INT, TIMESTAMP, 0),
	[RUN_LAST] = COLUMN("last_ns", "last", "Last end.", NULL, INT, TIMESTAMP, 0),
	[RUN_SUM] = COLUMN("sum_ns", "sum", "Sum of durations; overlaps count more than once.",
		NULL, INT, NS, 0),
	[RUN_BUSY] = COLUMN("busy_ns", "busy", "span_ns less idle_ns.", NULL, INT, NS, 0),
	[RUN_KERNELS] = COLUMN("kernel_union_ns", "kernels",
		"Union of all kernels, collectives too.", NULL, INT, NS, 0),
	[RUN_COMPUTE_KERNELS] = COLUMN("compute_kernel_union_ns", "compute kernels",
		"Union of kernels that are no collectives.", NULL, INT, NS, 0),
	[RUN_COMM_UNION] =
		COLUMN("comm_union_ns", "comm", "Union of collectives.", NULL, INT, NS, 0),
	[RUN_MEMCPY_UNION] =
		COLUMN("memcpy_union_ns", "copies", "Union of copies.", NULL, INT, NS, 0),
	[RUN_MEMSET_UNION] = COLUMN("memset_union_ns", "sets", "Union of sets.", NULL, INT, NS, 0),
	[RUN_OVERLAP] = COLUMN("comm_compute_overlap_ns", "comm hidden",
		"Time in which a collective runs while something computes.",
		"HTA, communication_analysis.py", INT, NS, 0),
	[RUN_OVERLAP_KERNELS] = COLUMN("comm_compute_kernel_overlap_ns", "by kernels",
		"The same while a kernel computes, sets aside.", NULL, INT, NS, 0),
	[RUN_OVERLAP_RATIO] = COLUMN("comm_compute_overlap_ratio", "comm hidden",
		"comm_compute_overlap_ns over comm_union_ns; absent without collectives.",
		"HTA, communication_analysis.py", REAL, RATIO, 0),
};

static const struct column phases[PHASE_COLUMNS] = {
	[PHASE_NAME] = COLUMN("phase", "phase",
		"By the call's own name, else its caller's phase; forward for other operators.",
		NULL, TEXT, NONE, 0),
	[PHASE_SELF] = COLUMN("self_cpu_ns", "self CPU",
		"Self CPU time of its calls that start in a step, runtime calls included, over all "
		"threads.",
		NULL, INT, NS, 0),
	[PHASE_SHARE] = COLUMN(
		"share_ratio", "%", "Of the self CPU time of all phases.", NULL, REAL, RATIO, 0),
	[PHASE_PER_STEP] = COLUMN("per_step_ns", "per step",
		"self_cpu_ns over the number of steps.", NULL, REAL, NS, 0),
	[PHASE_DEVICE] = COLUMN("self_device_ns", "GPU time",
		"Sum of the durations of the device work its calls launched.", NULL, INT, NS, 0),
};

static const struct column ratios[RATIO_COLUMNS] = {
	[RATIO_WHAT] = COLUMN(
		"figure", "figure", "What is compared, and by which formula.", NULL, TEXT, NONE, 0),
	[RATIO_VALUE] = COLUMN("ratio", "ratio",
		"CPU time over device time. Documents: cpu_time_total over cuda_time_total, summed "
		"over all rows of key_averages(). Correct: self CPU time over the sum of device time. "
		"Wall: the steps' time over the time the device is busy in them.",
		CANARY, REAL, NONE, 0),
	[RATIO_SHARE] = COLUMN("share_ratio", "%",
		"Copies over device time. Documents: of the ten rows of key_averages() with most self "
		"device time, those with \"copy\" in their name. Correct: the class memcpy of all "
		"device time.",
		CANARY, REAL, RATIO, 0),
	[RATIO_VERDICT] = COLUMN("verdict", "verdict",
		"The documents' words: CPU-bound above 2.0, compute-bound below 0.5, else balanced; "
		"copies dominate above 30 %, else acceptable.",
		CANARY, TEXT, NONE, 0),
	[RATIO_HOW] = COLUMN(
		"formula", "formula", "The formula in words.", NULL, TEXT, NONE, COLUMN_ELASTIC),
	[RATIO_PART] = COLUMN("part_ns", "part", "The numerator.", NULL, INT, NS, HIDDEN),
	[RATIO_OF] = COLUMN("of_ns", "of", "The denominator.", NULL, INT, NS, HIDDEN),
};

static const struct column copies[COPY_COLUMNS] = {
	[COPY_WHAT] = COLUMN("what", "what",
		"Copies by direction; kernels that only cast or move elements; sets.", NULL, TEXT,
		NONE, 0),
	[COPY_NS] = COLUMN("device_sum_ns", "time", "Sum of durations.", NULL, INT, NS, 0),
	[COPY_SHARE] = COLUMN("share_ratio", "%", "Of all device time.", NULL, REAL, RATIO, 0),
};

static const struct column necks[NECK_COLUMNS] = {
	[NECK_RANK] = COLUMN("rank", "#", "From 1, the largest first.", NULL, INT, NONE, 0),
	[NECK_SHARE] = COLUMN("share_ratio", "%",
		"Of the steps' time; of device work the sum of its durations, over the steps' time on "
		"all devices.",
		NULL, REAL, RATIO, 0),
	[NECK_PER_STEP] =
		COLUMN("per_step_ns", "per step", "time_ns over the steps.", NULL, REAL, NS, 0),
	[NECK_BOUND] = COLUMN("bound", "class",
		"compute, memory, I/O or CPU, as the primary bottleneck.", NULL, TEXT, NONE, 0),
	[NECK_WHAT] = COLUMN("what", "what",
		"A kernel, copy or set by name; or what the host does while no device does anything.",
		NULL, TEXT, NONE, COLUMN_ELASTIC),
	[NECK_NS] = COLUMN("time_ns", "time", "Over all steps and devices.", NULL, INT, NS, HIDDEN),
};

static const struct column calls[CALL_COLUMNS] = {
	[CALL_NAME] = COLUMN("name", "name", "The launching call.", NULL, TEXT, NONE, 0),
	[CALL_CALLS] =
		COLUMN("calls", "calls", "Calls that launched device work.", NULL, INT, COUNT, 0),
	[CALL_PER_STEP] =
		COLUMN("calls_per_step", "per step", "calls over steps.", NULL, REAL, NONE, 0),
	[CALL_LAUNCHED] = COLUMN(
		"device_events", "launched", "Device events they launched.", NULL, INT, COUNT, 0),
	[CALL_NS] = COLUMN("cpu_total_ns", "CPU time", "Sum of their durations.", NULL, INT, NS, 0),
};

static const struct column peaks[PEAK_COLUMNS] = {
	[PEAK_TYPE] = COLUMN(
		"device_type", "type", "c10::DeviceType: 0 CPU, 1 CUDA.", NULL, INT, NONE, 0),
	[PEAK_DEVICE] = COLUMN("device", "device", "Device Id.", NULL, INT, NONE, 0),
	[PEAK_ALLOCATED] = COLUMN("peak_allocated_bytes", "allocated",
		"Largest Total Allocated; without totals, the largest sum of Bytes since recording "
		"began.",
		NULL, INT, BYTES, 0),
	[PEAK_RESERVED] = COLUMN(
		"peak_reserved_bytes", "reserved", "Largest Total Reserved.", NULL, INT, BYTES, 0),
	[PEAK_CAPACITY] = COLUMN("capacity_bytes", "capacity",
		"Memory of the device in deviceProperties.", NULL, INT, BYTES, 0),
	[PEAK_RATIO] = COLUMN("peak_ratio", "%",
		"peak_reserved_bytes, else peak_allocated_bytes, over capacity_bytes.", NULL, REAL,
		RATIO, 0),
};

#define DOC(id, title, columns)                       \
	{                                             \
		id, title, columns, COUNT_OF(columns) \
	}
const struct table_doc summary_docs[SUMMARY_TABLES] = {
	[SUMMARY_OVERVIEW] = DOC("overview", NULL, overview),
	[SUMMARY_DEVICES] = DOC("devices", "where the steps go, by device", devices),
	[SUMMARY_RUN] = DOC("run_devices", "devices over the whole trace", runs),
	[SUMMARY_PHASES] = DOC("phases", "CPU self time by phase", phases),
	[SUMMARY_RATIOS] = DOC("ratios", "CPU against GPU, and copies", ratios),
	[SUMMARY_COPIES] = DOC("copies", "copies by class", copies),
	[SUMMARY_BOTTLENECKS] = DOC("bottlenecks", "top bottlenecks", necks),
	[SUMMARY_LAUNCHES] = DOC("launches", "launching calls", calls),
	[SUMMARY_MEMORY] = DOC("memory", "peaks of memory", peaks),
};
