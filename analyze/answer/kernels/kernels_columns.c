/*
 * The columns of `kernels`.
 */
#include "analyze/answer/kernels/kernels.h"
#include "analyze/query/columns.h"

static const struct column devices[KDEV_COLUMNS] = {
	[KDEV_DEVICE] = COL_INT("device", "device", "The device's number.", UNIT_NONE, 0),
	[KDEV_COUNT] = COL_INT("kernels", "kernels", "Kernels on it.", UNIT_COUNT, 0),
	[KDEV_SUM] = COL_INT("kernel_sum_ns", "kernel time",
		"Sum of the durations: kernels that overlap count more than once.", UNIT_NS, 0),
	[KDEV_ACHIEVED] = { "est_occupancy_ratio", "occupancy",
		"Mean of the kernels' estimated achieved occupancy, weighted by duration: threads of "
		"the kernel per SM over the threads an SM can hold, at most what registers and shared "
		"memory allow.",
		"Kineto, \"est. achieved occupancy %\"; TensorBoard plugin", CELL_REAL, UNIT_RATIO,
		0 },
	[KDEV_BLOCKS] = { "blocks_per_sm", "blocks/SM",
		"Mean of the kernels' blocks over the SMs of the device, weighted by duration. Below 1 "
		"a kernel cannot fill the device.",
		"Kineto, \"blocks per SM\"; TensorBoard plugin", CELL_REAL, UNIT_NONE, 0 },
	[KDEV_BELOW_ONE] = COL_REAL("below_one_block_ratio", "<1 block/SM",
		"Share of kernel time (of kernels that say it) with less than one block per SM.",
		UNIT_RATIO, 0),
	[KDEV_TENSOR] = { "tensor_core_ratio", "tensor cores",
		"Share of kernel time in kernels that surely use tensor cores, by name: a lower bound.",
		"TensorBoard plugin, tensor_core.py, extended", CELL_REAL, UNIT_RATIO, 0 },
	[KDEV_TENSOR_MOST] = COL_REAL("tensor_core_most_ratio", "at most",
		"The same with the kernels whose name does not tell: an upper bound.", UNIT_RATIO,
		0),
	[KDEV_SM] = { "est_sm_efficiency_ratio", "SM eff.",
		"At any moment the sum of blocks per SM of the kernels that run, at most 1; the mean of "
		"that over the steps looked at, or from the first kernel's start to the last one's end "
		"where there are none.",
		"TensorBoard plugin, gpu_metrics_parser.py", CELL_REAL, UNIT_RATIO, 0 },
	[KDEV_SHORT] = COL_INT("below_launch", "below launch",
		"Kernels shorter than the call that launched them.", UNIT_COUNT, COLUMN_HIDDEN),
};

static const struct column types[KTYPE_COLUMNS] = {
	[KTYPE_DEVICE] = COL_INT("device", "device", "The device's number.", UNIT_NONE, 0),
	[KTYPE_NS] = COL_INT("time_ns", "time",
		"Time during which work of exactly these types runs, on all streams together. The rows "
		"of a device add up to its busy time.",
		UNIT_NS, 0),
	[KTYPE_SHARE] =
		COL_REAL("busy_ratio", "% of busy", "time_ns over their sum.", UNIT_RATIO, 0),
	[KTYPE_TYPE] = { "types", "types",
		"computation: kernels that are no collectives; communication: collectives; memory: "
		"copies and sets.",
		"HTA, get_gpu_kernel_breakdown", CELL_TEXT, UNIT_NONE, 0 },
};

static const struct column kernels[KERNEL_COLUMNS] = {
	[KERNEL_SUM] = COL_INT("device_sum_ns", "time",
		"Sum of durations: kernels that overlap count more than once.", UNIT_NS, 0),
	[KERNEL_SHARE] = COL_REAL("share_ratio", "%",
		"device_sum_ns over that of all kernels that pass the filters on steps, devices and "
		"streams.",
		UNIT_RATIO, 0),
	[KERNEL_CALLS] = COL_INT("calls", "calls", "Kernels in the row.", UNIT_COUNT, 0),
	[KERNEL_MEAN] = COL_REAL("mean_ns", "avg", "device_sum_ns over calls.", UNIT_NS, 0),
	[KERNEL_P95] = { "p95_ns", "p95", "95th percentile of the duration, interpolated linearly.",
		"Hyndman and Fan 1996, type 7", CELL_REAL, UNIT_NS, 0 },
	[KERNEL_ACHIEVED] = { "est_occupancy_ratio", "occ.",
		"Mean estimated achieved occupancy, weighted by duration.",
		"Kineto, \"est. achieved occupancy %\"", CELL_REAL, UNIT_RATIO, 0 },
	[KERNEL_BLOCKS] = { "blocks_per_sm", "blk/SM", "Mean blocks per SM, weighted by duration.",
		"Kineto, \"blocks per SM\"", CELL_REAL, UNIT_NONE, 0 },
	[KERNEL_TENSOR] = { "tensor_core", "TC",
		"Whether it computes on tensor cores (AMD: matrix cores), by its name: yes, no, or "
		"unknown where the name does not tell.",
		"TensorBoard plugin, tensor_core.py, extended", CELL_TEXT, UNIT_NONE, 0 },
	[KERNEL_GRID] = COL_TEXT("grid", "grid",
		"Blocks of the launch in x, y, z; the most frequent launch configuration.", 0),
	[KERNEL_BLOCK] =
		COL_TEXT("block", "block", "Threads of a block in x, y, z; of the same.", 0),
	[KERNEL_REGISTERS] =
		COL_INT("registers", "regs", "Registers of a thread; of the same.", UNIT_COUNT, 0),
	[KERNEL_SHARED] = COL_INT(
		"shared_bytes", "smem", "Shared memory of a block; of the same.", UNIT_BYTES, 0),
	[KERNEL_OP] = COL_TEXT("op", "op", "The op that launched it; of several the most frequent.",
		COLUMN_ELASTIC),
	[KERNEL_NAME] = COL_TEXT("name", "name", "The kernel.", COLUMN_ELASTIC),
	[KERNEL_CLASS] = COL_TEXT("class", "class",
		"compute, comm, or memcpy and memset where copies run as kernels.", 0),
	[KERNEL_P50] = { "p50_ns", "p50", "Median duration, interpolated linearly.",
		"Hyndman and Fan 1996, type 7", CELL_REAL, UNIT_NS, 0 },
	[KERNEL_MIN] = COL_INT("min_ns", "min", "Shortest.", UNIT_NS, 0),
	[KERNEL_MAX] = COL_INT("max_ns", "max", "Longest.", UNIT_NS, 0),
	[KERNEL_STD] = COL_REAL("std_ns", "std",
		"Standard deviation of the sample (n - 1); absent for a single one.", UNIT_NS, 0),
	[KERNEL_CONFIGS] = COL_INT("configs", "configs",
		"Distinct launch configurations: grid, block, registers, shared memory.",
		UNIT_COUNT, 0),
	[KERNEL_CONFIG_CALLS] = COL_INT("config_calls", "of that config",
		"Kernels with the configuration that is shown.", UNIT_COUNT, 0),
	[KERNEL_OPS] = COL_INT("ops", "ops", "Distinct ops that launched it.", UNIT_COUNT, 0),
	[KERNEL_OP_CALLS] = COL_INT(
		"op_calls", "of that op", "Kernels that the shown op launched.", UNIT_COUNT, 0),
	[KERNEL_BELOW] = COL_INT("below_launch", "below launch",
		"Kernels shorter than the call that launched them (graph launches aside).",
		UNIT_COUNT, 0),
	[KERNEL_LAUNCH_NS] = COL_INT("below_launch_ns", "their launches",
		"Sum of the durations of the calls that launched those.", UNIT_NS, 0),
};

static const struct column durations[KDUR_COLUMNS] = {
	[KDUR_FROM] =
		COL_INT("from_ns", "from", "Durations of at least this.", UNIT_NS, COLUMN_HIDDEN),
	[KDUR_TO] = COL_INT(
		"to_ns", "to", "And below this; absent in the last row.", UNIT_NS, COLUMN_HIDDEN),
	[KDUR_COUNT] = COL_INT("kernels", "kernels", "Kernels of such durations.", UNIT_COUNT, 0),
	[KDUR_COUNT_SHARE] = COL_REAL("kernels_ratio", "%", "Of all kernels.", UNIT_RATIO, 0),
	[KDUR_SUM] = COL_INT("device_sum_ns", "time", "Sum of their durations.", UNIT_NS, 0),
	[KDUR_SUM_SHARE] =
		COL_REAL("share_ratio", "% of time", "Of all kernels' time.", UNIT_RATIO, 0),
	[KDUR_BELOW] = { "below_launch", "below launch",
		"Kernels shorter than the call that launched them: launching costs the CPU more than "
		"computing costs the GPU. Kernels of graph launches are not counted here.",
		"HTA, cuda_kernel_launch_stats", CELL_INT, UNIT_COUNT, 0 },
	[KDUR_LAUNCH] = COL_INT("below_launch_ns", "their launches",
		"Sum of the durations of the calls that launched those.", UNIT_NS, 0),
	[KDUR_RANGE] = COL_TEXT("range", "duration", "The range of durations.", 0),
};

const struct table_doc kernels_docs[KERNELS_TABLES] = {
	[KERNELS_DEVICES] = { "devices", "devices", devices, KDEV_COLUMNS },
	[KERNELS_TYPES] = { "types", "by type", types, KTYPE_COLUMNS },
	[KERNELS_KERNELS] = { "kernels", "kernels", kernels, KERNEL_COLUMNS },
	[KERNELS_DURATIONS] = { "durations", "kernels by duration", durations, KDUR_COLUMNS },
};
