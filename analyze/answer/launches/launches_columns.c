/*
 * The tables of `launches`, column by column.  Data only.
 */
#include "analyze/answer/launches/launches.h"
#include "analyze/query/columns.h"

static const char hta[] = "HTA hta/analyzers/cuda_kernel_analysis.py, get_cuda_kernel_launch_stats";
static const char hta_queue[] = "HTA hta/analyzers/trace_counters.py, queue length";

const struct column launches_total_columns[LTOTAL_COLUMNS] = {
	[LTOTAL_DEVICE] = COL_INT(
		"device_events", "device events", "Kernels, copies and sets.", UNIT_COUNT, 0),
	[LTOTAL_LINKED] = COL_INT("linked", "linked",
		"Those launched by a call that launched only them.", UNIT_COUNT, 0),
	[LTOTAL_GRAPH] = COL_INT("graph", "graph-linked",
		"Those launched by a call that launched several.", UNIT_COUNT, 0),
	[LTOTAL_UNLINKED] = COL_INT("unlinked", "without launch",
		"Those whose launching call is not in the trace.", UNIT_COUNT, 0),
	[LTOTAL_UNLINKED_NS] = COL_INT(
		"unlinked_ns", "time without launch", "Sum of their durations.", UNIT_NS, 0),
	[LTOTAL_WITH_OP] = COL_INT("unlinked_with_op", "of a known op",
		"Of those, the ones whose op is known by External id.", UNIT_COUNT, 0),
	[LTOTAL_CALLS] = COL_INT(
		"launches", "launching calls", "Calls that launched device events.", UNIT_COUNT, 0),
	[LTOTAL_GRAPH_CALLS] = COL_INT(
		"graph_launches", "graph launches", "Calls that launched several.", UNIT_COUNT, 0),
	[LTOTAL_NO_DEVICE] = COL_INT("launches_without_device", "calls without work",
		"Calls named as launches, copies or sets whose device event is not in the "
		"whole trace.",
		UNIT_COUNT, 0),
	[LTOTAL_EARLY] = COL_INT("before_launch", "before their call",
		"Device events that start before their call does: clocks that disagree.",
		UNIT_COUNT, 0),
	[LTOTAL_PER_STEP] = COL_REAL("launches_per_step", "launches per step",
		"launches over the number of steps looked at.", UNIT_NONE, 0),
	[LTOTAL_CALL_NS] = COL_INT("call_ns", "CPU time of calls",
		"Sum of the durations of launching calls.", UNIT_NS, 0),
	[LTOTAL_DEVICE_NS] = COL_INT("device_sum_ns", "device time",
		"Sum of the durations of device events.", UNIT_NS, 0),
	[LTOTAL_COST] = COL_REAL("launch_cost_ratio", "calls / device time",
		"call_ns over device_sum_ns.", UNIT_RATIO, 0),
	[LTOTAL_SHORT] = { "short_kernels", "short kernels",
		"Calls of at most the cutoff (50 us unless --slow-call) that took longer than "
		"the one device event they launched.",
		hta, CELL_INT, UNIT_COUNT, 0 },
	[LTOTAL_SHORT_SHARE] = COL_REAL(
		"short_ratio", "share of calls", "short_kernels over launches.", UNIT_RATIO, 0),
	[LTOTAL_SHORT_NS] = COL_INT("short_device_ns", "their device time",
		"Sum of the durations of what they launched.", UNIT_NS, 0),
	[LTOTAL_SHORT_CALL_NS] = COL_INT("short_call_ns", "their CPU time",
		"Sum of the durations of those calls.", UNIT_NS, 0),
	[LTOTAL_SLOW] = { "slow_calls", "slow calls",
		"Launching calls that took longer than the cutoff (--slow-call, 50 us).", hta,
		CELL_INT, UNIT_COUNT, 0 },
	[LTOTAL_DELAYED] = { "long_delays", "long delays",
		"Launching calls whose first work started later after their end than "
		"--long-delay (100 us).",
		hta, CELL_INT, UNIT_COUNT, 0 },
};

const struct column launches_call_columns[LCALL_COLUMNS] = {
	[LCALL_NAME] = COL_TEXT("name", "call", "Name of the launching call.", COLUMN_ELASTIC),
	[LCALL_CALLS] = COL_INT("calls", "calls", "Such calls with device events.", UNIT_COUNT, 0),
	[LCALL_EVENTS] =
		COL_INT("device_events", "events", "Device events they launched.", UNIT_COUNT, 0),
	[LCALL_NS] =
		COL_INT("call_ns", "CPU time", "Sum of the durations of the calls.", UNIT_NS, 0),
	[LCALL_MEAN] = COL_REAL("call_mean_ns", "avg", "Mean duration of a call.", UNIT_NS, 0),
	[LCALL_P95] = COL_REAL("call_p95_ns", "p95", "95th percentile of it.", UNIT_NS, 0),
	[LCALL_DELAY_MEAN] = { "delay_mean_ns", "delay avg",
		"Mean over calls of: start of the first device event less end of the call, 0 "
		"when negative. Of a graph only its first node counts.",
		hta, CELL_REAL, UNIT_NS, 0 },
	[LCALL_DELAY_P50] = COL_REAL("delay_p50_ns", "p50", "Median of the same.", UNIT_NS, 0),
	[LCALL_DELAY_P95] = COL_REAL("delay_p95_ns", "p95", "95th percentile.", UNIT_NS, 0),
	[LCALL_DELAY_MAX] = COL_INT("delay_max_ns", "max", "Largest.", UNIT_NS, 0),
	[LCALL_DEVICE_NS] = COL_INT("device_sum_ns", "device time",
		"Sum of the durations of the device events.", UNIT_NS, COLUMN_HIDDEN),
};

const struct column launches_delay_columns[LDELAY_COLUMNS] = {
	[LDELAY_OF] = COL_TEXT("of", "of",
		"kernel, memcpy, memset, or all three; linked and graph-linked events.", 0),
	[LDELAY_FROM] = { "delay", "delay",
		"start: from the start of the call to the start of the device event; end: from "
		"the end of the call, negative when the event starts before the call returns; "
		"end_clip0: the same, negative values as 0 (HTA's launch delay, nsys' queue "
		"time). Every node of a graph counts.",
		hta, CELL_TEXT, UNIT_NONE, 0 },
	[LDELAY_COUNT] = COL_INT("count", "count", "Device events.", UNIT_COUNT, 0),
	[LDELAY_MEAN] = COL_REAL("mean_ns", "mean", "Mean.", UNIT_NS, 0),
	[LDELAY_MEDIAN] = COL_REAL(
		"median_ns", "median", "Median, of two middle values their mean.", UNIT_NS, 0),
	[LDELAY_P95] =
		COL_REAL("p95_ns", "p95", "95th percentile, interpolated linearly.", UNIT_NS, 0),
	[LDELAY_MIN] = COL_INT("min_ns", "min", "Smallest.", UNIT_NS, 0),
	[LDELAY_MAX] = COL_INT("max_ns", "max", "Largest.", UNIT_NS, 0),
	[LDELAY_SUM] = COL_INT("sum_ns", "sum", "Sum.", UNIT_NS, COLUMN_HIDDEN),
	[LDELAY_NEGATIVE] = COL_INT("negative", "negative", "How many are below 0.", UNIT_COUNT, 0),
};

const struct column launches_queue_columns[LQUEUE_COLUMNS] = {
	[LQUEUE_DEVICE] = COL_INT("device", "device", "args.device, else the pid.", UNIT_NONE, 0),
	[LQUEUE_STREAM] = COL_INT("stream", "stream", "args.stream, else the tid.", UNIT_NONE, 0),
	[LQUEUE_ENTRIES] = { "entries", "entries",
		"Calls with work on the stream; each is in the queue from its start to the "
		"start of its first work there. A graph launch is one entry.",
		hta_queue, CELL_INT, UNIT_COUNT, 0 },
	[LQUEUE_MEAN] = COL_REAL("depth_mean", "mean depth",
		"Mean of the depth over time, from the first call to the last start of work.",
		UNIT_NONE, 0),
	[LQUEUE_P50] = COL_INT("depth_p50", "p50",
		"The depth that the queue does not exceed for half of the time.", UNIT_NONE, 0),
	[LQUEUE_P95] = COL_INT("depth_p95", "p95", "The same for 95 % of the time.", UNIT_NONE, 0),
	[LQUEUE_MAX] = COL_INT("depth_max", "max", "Largest depth.", UNIT_NONE, 0),
	[LQUEUE_WAITING] = COL_REAL("waiting_ratio", "waiting",
		"Share of the time in which something waits in the queue.", UNIT_RATIO, 0),
	[LQUEUE_BLOCKED] = { "blocked_ns", "blocked",
		"Time at a depth of 1024 or more, at which a launch blocks the CPU until the "
		"device takes one.",
		hta_queue, CELL_INT, UNIT_NS, 0 },
	[LQUEUE_BLOCKED_RATIO] = COL_REAL(
		"blocked_ratio", "%", "blocked_ns over the time of the trace.", UNIT_RATIO, 0),
	[LQUEUE_UNLINKED] = COL_INT("unlinked", "without launch",
		"Work of the stream without launch: in no entry.", UNIT_COUNT, COLUMN_HIDDEN),
	[LQUEUE_EARLY] = COL_INT("before_launch", "before call",
		"Calls whose work starts before them: no entry.", UNIT_COUNT, COLUMN_HIDDEN),
	[LQUEUE_SPAN] = COL_INT("span_ns", "span", "From the first call to the last start of work.",
		UNIT_NS, COLUMN_HIDDEN),
	[LQUEUE_POINT_MEAN] = { "points_mean", "mean at changes",
		"Mean of the depths after each change, however long they last: what HTA describes.",
		hta_queue, CELL_REAL, UNIT_NONE, COLUMN_HIDDEN },
	[LQUEUE_POINT_STD] = COL_REAL("points_std", "std at changes",
		"Their standard deviation (n - 1).", UNIT_NONE, COLUMN_HIDDEN),
	[LQUEUE_POINT_MIN] = COL_INT(
		"points_min", "min at changes", "The smallest of them.", UNIT_NONE, COLUMN_HIDDEN),
	[LQUEUE_POINT_P25] = COL_INT("points_p25", "p25 at changes",
		"The smallest depth that a quarter of them is not above.", UNIT_NONE,
		COLUMN_HIDDEN),
	[LQUEUE_POINT_P50] = COL_INT("points_p50", "p50 at changes", "The same for half of them.",
		UNIT_NONE, COLUMN_HIDDEN),
	[LQUEUE_POINT_P75] = COL_INT("points_p75", "p75 at changes", "The same for three quarters.",
		UNIT_NONE, COLUMN_HIDDEN),
};

const struct column launches_graph_columns[LGRAPH_COLUMNS] = {
	[LGRAPH_NAME] = COL_TEXT("name", "call",
		"Name of the call that launched several device events.", COLUMN_ELASTIC),
	[LGRAPH_CALLS] = COL_INT("calls", "launches", "Such calls.", UNIT_COUNT, 0),
	[LGRAPH_NODES] = COL_INT("nodes", "nodes", "Device events they launched.", UNIT_COUNT, 0),
	[LGRAPH_NODES_MEAN] =
		COL_REAL("nodes_mean", "nodes each", "nodes over calls.", UNIT_NONE, 0),
	[LGRAPH_MEAN] = COL_REAL("call_mean_ns", "CPU avg", "Mean duration of a call.", UNIT_NS, 0),
	[LGRAPH_DELAY] = COL_REAL("delay_mean_ns", "delay avg",
		"Mean of: start of the first node less end of the call, 0 when negative.", UNIT_NS,
		0),
	[LGRAPH_DEVICE_MEAN] = COL_REAL("device_mean_ns", "device avg",
		"Mean over calls of the sum of their nodes' durations.", UNIT_NS, 0),
	[LGRAPH_SAVED] = COL_REAL("call_per_node_ns", "CPU per node",
		"CPU time of the calls over nodes.", UNIT_NS, 0),
};

const struct column launches_short_columns[LSHORT_COLUMNS] = {
	[LSHORT_CALLS] = COL_INT("calls", "short", "Short launches of that name.", UNIT_COUNT, 0),
	[LSHORT_SHARE] = COL_REAL("share_ratio", "%", "Of all launching calls.", UNIT_RATIO, 0),
	[LSHORT_DEVICE_MEAN] = COL_REAL(
		"device_mean_ns", "device avg", "Mean duration of the device events.", UNIT_NS, 0),
	[LSHORT_CALL_MEAN] =
		COL_REAL("call_mean_ns", "call avg", "Mean duration of their calls.", UNIT_NS, 0),
	[LSHORT_EXCESS] = COL_INT("excess_ns", "calls longer by",
		"Sum of the calls' durations less that of the device events.", UNIT_NS, 0),
	[LSHORT_NAME] = COL_TEXT(
		"name", "kernel, copy or set", "Name of the device event.", COLUMN_ELASTIC),
};

const struct column launches_out_columns[LOUT_COLUMNS] = {
	[LOUT_WHAT] = COL_TEXT("what", "what",
		"slow call: the launching call took longer than --slow-call; long delay: its "
		"first work started later after its end than --long-delay.",
		0),
	[LOUT_NS] =
		COL_INT("time_ns", "time", "The duration of the call, or the delay.", UNIT_NS, 0),
	[LOUT_STEP] = COL_INT("step", "step", "The step the call starts in.", UNIT_NONE, 0),
	[LOUT_AT] = COL_INT("at_ns", "at",
		"When the call starts, from the first event of the trace.", UNIT_NS, 0),
	[LOUT_CALL] = COL_TEXT("call", "call", "Name of the call.", 0),
	[LOUT_OP] = COL_TEXT("op", "in", "The op around it, else the annotation.", COLUMN_ELASTIC),
	[LOUT_KERNEL] = COL_TEXT("name", "launched",
		"Its device event; of a graph the first of its list.", COLUMN_ELASTIC),
	[LOUT_START] = COL_INT("start_ns", "start", "When the call starts, as in the file.",
		UNIT_TIMESTAMP, COLUMN_HIDDEN),
};

const struct column launches_miss_columns[LMISS_COLUMNS] = {
	[LMISS_WHAT] = COL_TEXT("what", "what",
		"call without work: named as a launch, copy or set, but no device event has "
		"its correlation id; work without launch: no call has its id.",
		0),
	[LMISS_COUNT] = COL_INT("count", "count", "How many.", UNIT_COUNT, 0),
	[LMISS_NS] = COL_INT("time_ns", "time", "Sum of their durations.", UNIT_NS, 0),
	[LMISS_NAME] =
		COL_TEXT("name", "name", "Of the call or of the device event.", COLUMN_ELASTIC),
};

const struct column launches_hist_columns[LHIST_COLUMNS] = {
	[LHIST_WHAT] = COL_TEXT("what", "what",
		"kernel duration; launching call: its duration, once for each device event; launch "
		"delay: the device event's start less the call's start.",
		0),
	[LHIST_FROM] = COL_INT("from_ns", "from",
		"Lower edge of the bin, which belongs to it; ten bins for each power of ten. "
		"Shorter times are in the first.",
		UNIT_NS, 0),
	[LHIST_TO] = COL_INT("to_ns", "to", "Upper edge, which does not.", UNIT_NS, 0),
	[LHIST_COUNT] = COL_INT("count", "count", "How many are in it.", UNIT_COUNT, 0),
};
