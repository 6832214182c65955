/*
 * `timeline`: the columns of its tables.
 */
#include "analyze/answer/timeline/timeline.h"
#include "analyze/query/columns.h"

#define SLICE                                                                                   \
	[TLINE_AT] = COL_INT(                                                                   \
		"at_ns", "at", "Begin of the slice, from the first device event.", UNIT_NS, 0), \
	[TLINE_LENGTH] =                                                                        \
		COL_INT("length_ns", "length", "Length of the slice.", UNIT_NS, COLUMN_HIDDEN)

const struct column timeline_columns[TLINE_COLUMNS] = {
	SLICE,
	[TLINE_DEVICE] = COL_INT("device", "GPU", "Number of the device.", UNIT_NONE, 0),
	[TLINE_BUSY] = COL_REAL("busy_ratio", "busy",
		"Share of the slice in which at least one device event runs.", UNIT_RATIO, 0),
	[TLINE_COMPUTE] = COL_REAL("compute_ratio", "compute",
		"Share in which a kernel that is no collective, or a set, runs.", UNIT_RATIO, 0),
	[TLINE_COMM] = COL_REAL("exposed_comm_ratio", "comm",
		"Share in which a collective runs and nothing computes.", UNIT_RATIO, 0),
	[TLINE_MEMCPY] = COL_REAL("exposed_memcpy_ratio", "copies",
		"Share in which a copy runs and neither compute nor a collective.", UNIT_RATIO, 0),
	[TLINE_IDLE] = COL_REAL("idle_ratio", "idle",
		"Share in which nothing runs; the four shares add up to 1.", UNIT_RATIO,
		COLUMN_HIDDEN),
	[TLINE_SM] = { "est_sm_efficiency_ratio", "SM eff.",
		"Mean over the slice of the SMs that have a block, as kernels' blocks per SM say: at "
		"most 1. Absent where no kernel says them.",
		"torch_tb_profiler, Est. SM Efficiency", CELL_REAL, UNIT_RATIO, COLUMN_HIDDEN },
	[TLINE_BAR] = COL_TEXT("bar", "", "busy_ratio as a bar of 20 marks.", 0),
	[TLINE_START] = COL_INT("start_ns", "start", "Begin of the slice, as in the file.",
		UNIT_TIMESTAMP, COLUMN_HIDDEN),
};

const struct column timeline_queue_columns[TQUEUE_COLUMNS] = {
	SLICE,
	[TQUEUE_DEVICE] = COL_INT("device", "GPU", "Number of the device.", UNIT_NONE, 0),
	[TQUEUE_STREAM] = COL_INT("stream", "stream", "Number of the stream.", UNIT_NONE, 0),
	[TQUEUE_MEAN] = { "depth_mean", "depth",
		"Launches that wait or run their call, mean over the slice's time: from a call's "
		"start to the start of its first work on the stream.",
		"HTA, queue length", CELL_REAL, UNIT_NONE, 0 },
	[TQUEUE_MAX] =
		COL_INT("depth_max", "most", "The most at once in the slice.", UNIT_COUNT, 0),
};

const struct column timeline_copy_columns[TCOPY_COLUMNS] = {
	SLICE,
	[TCOPY_DEVICE] = COL_INT("device", "GPU", "Number of the device.", UNIT_NONE, 0),
	[TCOPY_DIRECTION] = COL_TEXT("direction", "direction", "HtoD, DtoH, DtoD, PtoP, HtoH.", 0),
	[TCOPY_BYTES] = COL_REAL("bytes", "bytes",
		"Bytes moved in the slice; a copy's bytes are spread evenly over its time.",
		UNIT_BYTES, 0),
	[TCOPY_RATE] = { "bytes_per_s", "over all time", "bytes over the slice's length.",
		"HTA, memory bandwidth time series", CELL_REAL, UNIT_BYTES_PER_S, 0 },
	[TCOPY_BUSY_RATE] = COL_REAL("copying_bytes_per_s", "while copying",
		"bytes over the time of the copies in the slice, summed.", UNIT_BYTES_PER_S, 0),
};

const struct column timeline_lane_columns[TLANE_COLUMNS] = {
	SLICE,
	[TLANE_NAME] = COL_TEXT("lane", "lane",
		"The device and stream, or the thread by its name, else by its number.",
		COLUMN_ELASTIC),
	[TLANE_BUSY] = COL_REAL("busy_ratio", "busy",
		"Share of the slice in which anything runs there: device events of a stream; calls "
		"of a thread, waiting ones too, but not the regions a user named, of which one "
		"covers each step.",
		UNIT_RATIO, 0),
	[TLANE_SUM] = COL_INT(
		"busy_ns", "in all", "How long anything runs there, in all slices.", UNIT_NS, 0),
	[TLANE_DEVICE] = COL_INT("device", "GPU", "Number of the device; absent for threads.",
		UNIT_NONE, COLUMN_HIDDEN),
	[TLANE_STREAM] = COL_INT("stream", "stream", "Number of the stream; absent for threads.",
		UNIT_NONE, COLUMN_HIDDEN),
	[TLANE_PID] = COL_TEXT("pid", "process", "As the trace names it.", COLUMN_HIDDEN),
	[TLANE_TID] = COL_TEXT("tid", "thread", "As the trace names it.", COLUMN_HIDDEN),
};
