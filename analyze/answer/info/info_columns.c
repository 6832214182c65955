/*
 * The tables of `info`, column by column.  Data only.
 */
#include "analyze/answer/info/info.h"

#define TEXT(key, title, doc, flags)                               \
	{                                                          \
		key, title, doc, NULL, CELL_TEXT, UNIT_NONE, flags \
	}
#define NUMBER(key, title, doc, unit, flags)                 \
	{                                                    \
		key, title, doc, NULL, CELL_INT, unit, flags \
	}
#define REAL(key, title, doc, unit)                       \
	{                                                 \
		key, title, doc, NULL, CELL_REAL, unit, 0 \
	}
#define YES_NO(key, title, doc, flags)                             \
	{                                                          \
		key, title, doc, NULL, CELL_BOOL, UNIT_NONE, flags \
	}

static const struct column trace[TRACE_COLUMNS] = {
	[TRACE_PRODUCER] = TEXT(
		"producer", "producer", "Who wrote the trace, by its metadata and categories.", 0),
	[TRACE_SOFTWARE] = TEXT("software", "software",
		"Versions the trace names; the table software has them one by one.", 0),
	[TRACE_NAME] = TEXT("trace_name", "written as", "traceName: the path it was written to.",
		COLUMN_ELASTIC),
	[TRACE_ID] = TEXT("trace_id", "trace id", "trace_id of the profiler.", COLUMN_HIDDEN),
	[TRACE_HOST] = TEXT("host_name", "host", "host_name: the machine it was recorded on.", 0),
	[TRACE_SCHEMA] = NUMBER(
		"schema_version", "schema", "schemaVersion of Kineto.", UNIT_NONE, COLUMN_HIDDEN),
	[TRACE_RANK] = NUMBER("rank", "rank", "distributedInfo.rank: which of the job's processes.",
		UNIT_NONE, 0),
	[TRACE_WORLD] = NUMBER("world_size", "world size",
		"distributedInfo.world_size: how many processes the job has.", UNIT_NONE, 0),
	[TRACE_BACKEND] = TEXT(
		"backend", "backend", "distributedInfo.backend: what its collectives run on.", 0),
	[TRACE_FORM] = TEXT("form", "form",
		"object: {\"traceEvents\": ...}; array: a bare list of events.", COLUMN_HIDDEN),
	[TRACE_CONTAINER] = TEXT("container", "container",
		"How the file is packed, by its content: plain, gzip, zlib, ...", 0),
	[TRACE_FILE] = NUMBER(
		"file_bytes", "file size", "Size on disk; unknown for a pipe.", UNIT_BYTES, 0),
	[TRACE_TEXT] = NUMBER(
		"text_bytes", "text size", "Size of the JSON text, inflated.", UNIT_BYTES, 0),
	[TRACE_COMPRESSION] = REAL(
		"compression", "text/file", "Size of the text over the size on disk.", UNIT_NONE),
	[TRACE_STATE] = TEXT("state", "state",
		"complete, or what is wrong with the file as a whole; 'check' has all of it.", 0),
	[TRACE_COMPLETE] = YES_NO("complete", "complete",
		"The text ended where its grammar says, and the compressed stream was sound.",
		COLUMN_HIDDEN),
	[TRACE_EVENTS] = NUMBER("events", "events",
		"Objects in traceEvents, whatever became of them.", UNIT_COUNT, 0),
	[TRACE_BASE] = NUMBER("base_ns", "time base",
		"baseTimeNanoseconds: what the times of events count from, in ns since 1970.",
		UNIT_NONE, COLUMN_HIDDEN),
	[TRACE_START] = TEXT("start_utc", "started",
		"When the first slice began, UTC: baseTimeNanoseconds plus its time, or its time alone "
		"where that counts from 1970. Unknown for traces of spring 2024, which have neither.",
		0),
	[TRACE_FIRST] = NUMBER("first_ns", "first event",
		"Start of the first slice that has a category, the profiler's own span aside; ns as in the "
		"file.",
		UNIT_TIMESTAMP, COLUMN_HIDDEN),
	[TRACE_LAST] = NUMBER("last_ns", "last event", "End of the last of the same slices.",
		UNIT_TIMESTAMP, COLUMN_HIDDEN),
	[TRACE_SPAN] = NUMBER("span_ns", "span", "last_ns - first_ns.", UNIT_NS, 0),
	[TRACE_STEPS] = NUMBER("steps", "steps",
		"Training or inference steps; unknown when nothing marks them.", UNIT_COUNT, 0),
	[TRACE_STEP_SOURCE] = TEXT("step_source", "steps by",
		"profiler: ProfilerStep#N; annotation: an annotation that occurs 3 times or more at the top "
		"of its thread (numbers in its name aside) and covers half of the host's time; whole: "
		"neither, the trace counts as one step.",
		0),
	[TRACE_STEP_NAME] =
		TEXT("step_name", "step name", "Name of the first step's event.", COLUMN_HIDDEN),
	[TRACE_STEP_FIRST] =
		NUMBER("first_step", "first step", "Number of the first step.", UNIT_NONE, 0),
	[TRACE_STEP_LAST] =
		NUMBER("last_step", "last step", "Number of the last step.", UNIT_NONE, 0),
	[TRACE_STEP_MEDIAN] = REAL("step_median_ns", "median step",
		"Median duration of a step on the CPU; the first and the last are set aside when five or "
		"more remain.",
		UNIT_NS),
};

static const struct column gpus[GPU_COLUMNS] = {
	[GPU_ID] = NUMBER("gpu", "gpu", "Its id: deviceProperties.id, args.device of its events.",
		UNIT_NONE, 0),
	[GPU_NAME] = TEXT("name", "name", "deviceProperties.name.", COLUMN_ELASTIC),
	[GPU_MEMORY] = NUMBER("memory_bytes", "memory", "totalGlobalMem.", UNIT_BYTES, 0),
	[GPU_SMS] = NUMBER(
		"sms", "SMs", "numSms: multiprocessors, or compute units on AMD.", UNIT_NONE, 0),
	[GPU_CAPABILITY] = TEXT("compute_capability", "cc", "computeMajor.computeMinor.", 0),
	[GPU_THREADS] = NUMBER("threads_per_sm", "threads/SM", "maxThreadsPerMultiprocessor.",
		UNIT_NONE, COLUMN_HIDDEN),
	[GPU_WARP] = NUMBER("warp_size", "warp", "warpSize.", UNIT_NONE, COLUMN_HIDDEN),
	[GPU_LISTED] = YES_NO("listed", "listed",
		"deviceProperties has it. ROCm writes global device ids that its list does not have.",
		COLUMN_HIDDEN),
	[GPU_ACTIVE] = YES_NO("active", "used",
		"It has device events here; deviceProperties lists all visible devices.", 0),
	[GPU_STREAMS] = NUMBER("streams", "streams", "Streams with device events.", UNIT_COUNT, 0),
	[GPU_EVENTS] =
		NUMBER("device_events", "events", "Kernels, copies and sets.", UNIT_COUNT, 0),
	[GPU_BUSY] =
		NUMBER("busy_ns", "busy", "Union of the times of its device events.", UNIT_NS, 0),
};

static const struct column software[SOFTWARE_COLUMNS] = {
	[SOFTWARE_COMPONENT] = TEXT("component", "component", "What has the version.", 0),
	[SOFTWARE_VERSION] = TEXT("version", "version",
		"As people write it: CUDA's 12040 is 12.4, HIP's 60443483 is 6.4.43483.", 0),
	[SOFTWARE_RAW] = TEXT("raw", "raw", "As the trace has it.", 0),
};

static const struct column recorded[RECORDED_COLUMNS] = {
	[RECORDED_WHAT] = TEXT("what", "recorded", "What can be recorded.", 0),
	[RECORDED_SAID] = TEXT("said", "asked for",
		"yes, no, or unknown: the profiler's option in the metadata. PyTorch writes it only when "
		"it is on, so unknown is usual.",
		0),
	[RECORDED_SEEN] = NUMBER("seen", "seen",
		"Events that show it; for shapes, stacks and modules the ops that carry them (known with "
		"--arguments only).",
		UNIT_COUNT, 0),
};

static const struct column categories[CATEGORY_COLUMNS] = {
	[CATEGORY_CAT] = TEXT(
		"cat", "category", "cat as the trace spells it; unknown: the event has none.", 0),
	[CATEGORY_PH] = TEXT("ph", "ph",
		"Phase: X slice, B and E its two ends, i instant, C counter, "
		"s t f flow, M metadata; unknown: none, or no known one.",
		0),
	[CATEGORY_COUNT] = NUMBER(
		"events", "events", "How many, before any repair or joining.", UNIT_COUNT, 0),
	[CATEGORY_SHARE] = REAL("share_ratio", "%", "Of all events.", UNIT_RATIO),
};

static const struct column lanes[LANE_COLUMNS] = {
	[LANE_KIND] = TEXT("lane", "lane", "thread of a process, or stream of a device.", 0),
	[LANE_PROCESS] = TEXT("process", "process", "process_name.", 0),
	[LANE_LABELS] = TEXT("labels", "labels", "process_labels.", COLUMN_HIDDEN),
	[LANE_NAME] = TEXT("name", "name", "thread_name.", COLUMN_ELASTIC),
	[LANE_PID] = TEXT("pid", "pid", "pid, as the trace has it.", 0),
	[LANE_TID] = TEXT("tid", "tid", "tid, as the trace has it.", 0),
	[LANE_DEVICE] = NUMBER(
		"device", "device", "Device of a stream: args.device, else pid.", UNIT_NONE, 0),
	[LANE_STREAM] =
		NUMBER("stream", "stream", "Its number: args.stream, else tid.", UNIT_NONE, 0),
	[LANE_EVENTS] = NUMBER("events", "events",
		"Slices and allocator events here. Python functions, flows, counters and other instants are "
		"in the table categories only.",
		UNIT_COUNT, 0),
};

static const struct column steps[STEP_COLUMNS] = {
	[STEP_NUMBER] =
		NUMBER("step", "step", "N of ProfilerStep#N, else counted from 0.", UNIT_NONE, 0),
	[STEP_NAME] = TEXT("name", "name", "Name of its event.", COLUMN_ELASTIC),
	[STEP_PID] = TEXT("pid", "pid", "Process of its event.", COLUMN_HIDDEN),
	[STEP_TID] = TEXT("tid", "tid", "Thread of its event.", COLUMN_HIDDEN),
	[STEP_START] = NUMBER("start_ns", "start", "Start on the CPU; ns as in the file.",
		UNIT_TIMESTAMP, COLUMN_HIDDEN),
	[STEP_DUR] = NUMBER("dur_ns", "duration", "Duration on the CPU.", UNIT_NS, 0),
	[STEP_DEVICE] = NUMBER("device", "device",
		"The device of the next columns; a step has a row for each.", UNIT_NONE, 0),
	[STEP_BUSY] = NUMBER("busy_ns", "busy",
		"Union of the device's kernels, copies and sets, clipped to the step's time on the CPU.",
		UNIT_NS, 0),
	[STEP_BUSY_RATIO] = REAL("busy_ratio", "busy %", "busy_ns over dur_ns.", UNIT_RATIO),
	[STEP_EVENTS] = NUMBER("device_events", "launched",
		"Device events, of all devices, that were launched inside the step.", UNIT_COUNT,
		0),
	[STEP_INCOMPLETE] = { "incomplete", "cut off",
		"The step was still open when recording ended, or the last one has less than 0.8 of the "
		"device events of the step before it, or none where others have some.",
		"tb_plugin, event_parser.py, StepParser", CELL_BOOL, UNIT_NONE, 0 },
};

static const struct column memory[MEMORY_COLUMNS] = {
	[MEMORY_TYPE] = NUMBER("device_type", "type", "Device Type of the event: c10::DeviceType.",
		UNIT_NONE, COLUMN_HIDDEN),
	[MEMORY_WORD] = TEXT("allocator", "allocator", "What that type is: CPU, CUDA, HIP, ...", 0),
	[MEMORY_ID] = NUMBER("device", "device", "Device Id; -1 for the CPU.", UNIT_NONE, 0),
	[MEMORY_EVENTS] = NUMBER("events", "events", "[memory] events.", UNIT_COUNT, 0),
	[MEMORY_OOM] =
		NUMBER("out_of_memory", "out of memory", "[OutOfMemory] events.", UNIT_COUNT, 0),
	[MEMORY_ALLOC] =
		NUMBER("alloc_bytes", "allocated", "Sum of all positive Bytes.", UNIT_BYTES, 0),
	[MEMORY_FREE] = NUMBER("free_bytes", "freed",
		"Sum of all negative Bytes, as a positive number.", UNIT_BYTES, 0),
	[MEMORY_PEAK_ALLOCATED] = NUMBER("peak_allocated_bytes", "peak allocated",
		"Largest Total Allocated: what tensors held. Unknown in traces of 2021.",
		UNIT_BYTES, 0),
	[MEMORY_PEAK_RESERVED] = NUMBER("peak_reserved_bytes", "peak reserved",
		"Largest Total Reserved: what the allocator held of the device.", UNIT_BYTES, 0),
};

static const struct column metadata[METADATA_COLUMNS] = {
	[METADATA_KEY] = TEXT("key", "key", "Name of a top-level value of the document.", 0),
	[METADATA_VALUE] = TEXT("value", "value",
		"The value; arrays and objects are not in this table.", COLUMN_ELASTIC),
};

const struct table_doc info_docs[INFO_TABLES] = {
	[INFO_TRACE] = { "trace", "Trace", trace, TRACE_COLUMNS },
	[INFO_GPUS] = { "gpus", "Devices", gpus, GPU_COLUMNS },
	[INFO_SOFTWARE] = { "software", "Software", software, SOFTWARE_COLUMNS },
	[INFO_RECORDED] = { "recorded", "What was recorded", recorded, RECORDED_COLUMNS },
	[INFO_CATEGORIES] = { "categories", "Events by category and phase", categories,
		CATEGORY_COLUMNS },
	[INFO_LANES] = { "lanes", "Threads and streams", lanes, LANE_COLUMNS },
	[INFO_STEPS] = { "steps", "Steps", steps, STEP_COLUMNS },
	[INFO_MEMORY] = { "memory", "Allocator events", memory, MEMORY_COLUMNS },
	[INFO_METADATA] = { "metadata", "Metadata", metadata, METADATA_COLUMNS },
	[INFO_FILES] = { "files", "Files of the folder", info_files, FILES_COLUMNS },
	[INFO_ARTIFACTS] = { "artifacts", "Artifacts", info_artifacts, ARTIFACTS_COLUMNS },
	[INFO_SERIES] = { "series", "Series", info_series, SERIES_COLUMNS },
	[INFO_SHEETS] = { "sheets", "Tables in them", info_sheets, SHEETS_COLUMNS },
	[INFO_SCALARS] = { "scalars", "Values", info_scalars, SCALARS_COLUMNS },
	[INFO_SHEET_OPS] = { "sheet_ops", "Operations", sheet_columns_ops, OPS_COLUMNS },
	[INFO_SHEET_STAGES] = { "sheet_stages", "Stages", sheet_columns_stages, STAGES_COLUMNS },
	[INFO_SHEET_SWEEP] = { "sheet_sweep", "Batch sizes", sheet_columns_sweep, SWEEP_COLUMNS },
	[INFO_SHEET_SUMMARIES] = { "sheet_summaries", "Summaries of metrics",
		sheet_columns_summaries, SUMMARIES_COLUMNS },
	[INFO_SHEET_STACKS] = { "sheet_stacks", "Stacks", sheet_columns_stacks, STACKS_COLUMNS },
	[INFO_SHEET_SCORES] = { "sheet_scores", "Scores", sheet_columns_scores, SCORES_COLUMNS },
	[INFO_SHEET_SAMPLES] = { "sheet_samples", "Samples", sheet_columns_samples,
		SAMPLES_COLUMNS },
	[INFO_SHEET_MEMORY] = { "sheet_memory", "Memory measurements", sheet_columns_memory,
		TAKEN_COLUMNS },
	[INFO_SHEET_MODELS] = { "sheet_models", "Models", sheet_columns_models, MODELS_COLUMNS },
	[INFO_SHEET_GPUS] = { "sheet_gpus", "GPUs", sheet_columns_gpus, GPUS_COLUMNS },
};
