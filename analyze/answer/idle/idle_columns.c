/*
 * The tables of `idle`, column by column.  Data only.
 */
#include "analyze/answer/idle/idle.h"
#include "analyze/query/columns.h"

static const char hta[] = "HTA hta/analyzers/breakdown_analysis.py, _analyze_idle_time_for_stream";

#define SUMS(whose)                                                                                \
	[IDLE_HOST] = { "host_wait_ns", "host wait",                                               \
		"Gaps whose next work was launched only after all work before it had ended, "      \
		"less "                                                                            \
		"those of the next two columns: the device waited for operators, Python or "       \
		"launches.",                                                                       \
		hta, CELL_INT, UNIT_NS, 0 },                                                       \
	[IDLE_DATA] = COL_INT("dataloader_ns", "dataloader",                                       \
		"Of gaps launched too late: the launching thread, or the main thread, spent "      \
		"more than "                                                                       \
		"half of the gap in one call of the data loader.",                                 \
		UNIT_NS, 0),                                                                       \
	[IDLE_SYNC] = COL_INT("sync_ns", "sync",                                                   \
		"Of gaps launched too late: the launching thread was in a synchronizing call "     \
		"when the "                                                                        \
		"gap began, or for more than half of it (cudaStreamSynchronize, a blocking "       \
		"cudaMemcpy), so it could not launch ahead.",                                      \
		UNIT_NS, 0),                                                                       \
	[IDLE_KERNEL] = { "kernel_wait_ns", "kernel wait",                                         \
		"Gaps below the threshold (30 us unless --kernel-wait says otherwise) whose "      \
		"next work "                                                                       \
		"was launched already: what the device itself takes between two kernels.",         \
		hta, CELL_INT, UNIT_NS, 0 },                                                       \
	[IDLE_OTHER] = { "other_ns", "other",                                                      \
		"Gaps of the threshold or more whose next work was launched already; gaps "        \
		"whose "                                                                           \
		"launch is not in the trace; with --steps, what is behind the last work.",         \
		hta, CELL_INT, UNIT_NS, 0 },                                                       \
	[IDLE_GAPS] = COL_INT("gaps", "gaps", "How many, of all classes.", UNIT_COUNT,             \
		(whose) ? 0 : COLUMN_HIDDEN),                                                      \
	[IDLE_MAX] =                                                                               \
		COL_INT("longest_ns", "longest", "The longest of them.", UNIT_NS, COLUMN_HIDDEN),  \
	[IDLE_DEVICE_BUSY] = COL_INT("device_busy_ns", "device busy",                              \
		"The part of the stream's gaps in which other streams of the device work; of a "   \
		"device: 0.",                                                                      \
		UNIT_NS, (whose)),                                                                 \
	[IDLE_HOST_N] = COL_INT(                                                                   \
		"host_wait_gaps", "host waits", "Gaps of that class.", UNIT_COUNT, COLUMN_HIDDEN), \
	[IDLE_DATA_N] = COL_INT("dataloader_gaps", "dataloader waits", "Gaps of that class.",      \
		UNIT_COUNT, COLUMN_HIDDEN),                                                        \
	[IDLE_SYNC_N] =                                                                            \
		COL_INT("sync_gaps", "syncs", "Gaps of that class.", UNIT_COUNT, COLUMN_HIDDEN),   \
	[IDLE_KERNEL_N] = COL_INT("kernel_wait_gaps", "kernel waits", "Gaps of that class.",       \
		UNIT_COUNT, COLUMN_HIDDEN),                                                        \
	[IDLE_OTHER_N] =                                                                           \
		COL_INT("other_gaps", "others", "Gaps of that class.", UNIT_COUNT, COLUMN_HIDDEN), \
	[IDLE_HTA_HOST] = { "hta_host_wait_ns", "HTA host wait",                                   \
		"Host wait as HTA has it: host wait, dataloader and sync together.", hta,          \
		CELL_INT, UNIT_NS, COLUMN_HIDDEN },                                                \
	[IDLE_HTA_KERNEL] = { "hta_kernel_wait_ns", "HTA kernel wait",                             \
		"Kernel wait as HTA has it: the same.", hta, CELL_INT, UNIT_NS, COLUMN_HIDDEN },   \
	[IDLE_HTA_OTHER] = { "hta_other_ns", "HTA other", "Other as HTA has it: the same.", hta,   \
		CELL_INT, UNIT_NS, COLUMN_HIDDEN }

const struct column idle_device_columns[IDLE_COLUMNS] = {
	[IDLE_DEVICE] = COL_INT("device", "device", "args.device, else the pid.", UNIT_NONE, 0),
	[IDLE_STREAM] = COL_INT(
		"stream", "stream", "None: all streams of the device.", UNIT_NONE, COLUMN_HIDDEN),
	[IDLE_SPAN] = COL_INT("span_ns", "span",
		"From the first start to the last end of device work; with --steps the wall "
		"time of the "
		"steps.",
		UNIT_NS, 0),
	[IDLE_BUSY] = COL_INT("busy_ns", "busy", "span_ns less idle_ns: the union of the work.",
		UNIT_NS, COLUMN_HIDDEN),
	[IDLE_IDLE] = COL_INT("idle_ns", "idle",
		"The sum of the gaps: time in which no stream of the device has work.", UNIT_NS, 0),
	[IDLE_RATIO] = COL_REAL("idle_ratio", "%", "idle_ns over span_ns.", UNIT_RATIO, 0),
	SUMS(COLUMN_HIDDEN),
};

const struct column idle_stream_columns[IDLE_COLUMNS] = {
	[IDLE_DEVICE] = COL_INT("device", "dev", "args.device, else the pid.", UNIT_NONE, 0),
	[IDLE_STREAM] = COL_INT("stream", "stream", "args.stream, else the tid.", UNIT_NONE, 0),
	[IDLE_SPAN] = COL_INT("span_ns", "span",
		"From the first start to the last end of the stream's work; with --steps the "
		"wall time of "
		"the steps.",
		UNIT_NS, COLUMN_HIDDEN),
	[IDLE_BUSY] = COL_INT("busy_ns", "busy", "span_ns less idle_ns: the union of the work.",
		UNIT_NS, COLUMN_HIDDEN),
	[IDLE_IDLE] = COL_INT("idle_ns", "idle",
		"The sum of the stream's gaps, whatever other streams do.", UNIT_NS, 0),
	[IDLE_RATIO] = COL_REAL("idle_ratio", "%", "idle_ns over span_ns.", UNIT_RATIO, 0),
	SUMS(0),
};

const struct column idle_cause_columns[CAUSE_COLUMNS] = {
	[CAUSE_NS] = COL_INT("idle_ns", "idle", "Sum of such gaps of devices.", UNIT_NS, 0),
	[CAUSE_SHARE] =
		COL_REAL("share_ratio", "%", "Of all gaps that are looked at.", UNIT_RATIO, 0),
	[CAUSE_CLASS] = COL_TEXT("class", "class",
		"host wait, dataloader, sync, kernel wait, other: see the columns of devices.", 0),
	[CAUSE_GAPS] = COL_INT("gaps", "gaps", "How many.", UNIT_COUNT, 0),
	[CAUSE_MEAN] = COL_REAL("mean_ns", "avg", "idle_ns over gaps.", UNIT_NS, 0),
	[CAUSE_MAX] = COL_INT("longest_ns", "longest", "The longest of them.", UNIT_NS, 0),
	[CAUSE_NAME] = COL_TEXT("name", "the CPU was in",
		"The innermost operator, annotation or runtime call that covers more than half "
		"of a gap, on "
		"the thread that launched the next work, else on the main thread (that of the "
		"steps, else "
		"the one with most launches); absent when none does, and for kernel wait, "
		"where the CPU was "
		"ahead. Steps are one: ProfilerStep* means "
		"Python between operators.",
		COLUMN_ELASTIC),
};

const struct column idle_long_columns[LONG_COLUMNS] = {
	[LONG_NS] = COL_INT("gap_ns", "gap", "Its length.", UNIT_NS, 0),
	[LONG_CLASS] = COL_TEXT("class", "class", "See the columns of devices.", 0),
	[LONG_DEVICE] = COL_INT("device", "dev", "The device that had no work.", UNIT_NONE, 0),
	[LONG_STEP] = COL_INT("step", "step", "The step it begins in.", UNIT_NONE, 0),
	[LONG_AT] = COL_INT(
		"at_ns", "at", "When it begins, from the first event of the trace.", UNIT_NS, 0),
	[LONG_DOING] = COL_TEXT("name", "the CPU was in",
		"The innermost call that covers more than half of the gap, on the thread that "
		"launched "
		"the next work, else on the main thread.",
		COLUMN_ELASTIC),
	[LONG_COVERED] = COL_REAL(
		"covered_ratio", "%", "The part of the gap that call covers.", UNIT_RATIO, 0),
	[LONG_NEXT] = COL_TEXT("next", "before", "The work that ends it.", COLUMN_ELASTIC),
	[LONG_START] = COL_INT("start_ns", "start", "When it begins, as in the file.",
		UNIT_TIMESTAMP, COLUMN_HIDDEN),
	[LONG_THREAD] = COL_TEXT("thread", "thread", "pid/tid of that call.", COLUMN_HIDDEN),
	[LONG_PREV] =
		COL_TEXT("previous", "after", "The work that ended last before it.", COLUMN_HIDDEN),
	[LONG_LAUNCH] = COL_TEXT(
		"launch", "launch", "The call that launched the next work.", COLUMN_HIDDEN),
	[LONG_LAUNCH_AT] = COL_INT("launch_after_ns", "launched after",
		"Start of that call less the begin of the gap; negative: launched ahead.", UNIT_NS,
		COLUMN_HIDDEN),
};
