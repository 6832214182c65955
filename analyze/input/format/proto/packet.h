/* Numbers of the fields of Perfetto's messages that are read.
 *
 * Source: github.com/google/perfetto, protos/perfetto/trace: trace_packet.proto, track_event,
 * interned_data/interned_data.proto, clock_snapshot.proto, trace_packet_defaults.proto,
 * ps/process_tree.proto, gpu/gpu_render_stage_event.proto, gpu/gpu_counter_event.proto,
 * chrome/chrome_trace_event.proto (of 2022 and before, with its metadata). */
#pragma once

enum { TRACE_PACKET = 1, TRACE_PACKET_TAG = 0x0a };

enum packet_field {
	PACKET_FTRACE = 1,
	PACKET_PROCESS_TREE = 2,
	PACKET_TRUSTED_UID = 3,
	PACKET_CHROME_EVENTS = 5,
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_CLEARED = 41, /* before there were flags */
	PACKET_DROPPED = 42,
	PACKET_PROCESS = 43, /* before there were tracks */
	PACKET_THREAD = 44,
	PACKET_COMPRESSED = 50,
	PACKET_GPU_COUNTER = 52,
	PACKET_RENDER_STAGE = 53,
	PACKET_CLOCK = 58,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK = 60,
	PACKET_TRUSTED_PID = 79,
	PACKET_FIRST_ON_SEQUENCE = 87,
	PACKET_MACHINE = 98,
	PACKET_ZSTD = 133,
	PACKET_KNOWN = 160 /* data sources have numbers below */
};

enum { FLAG_STATE_CLEARED = 1, FLAG_STATE_NEEDED = 2 };

enum defaults_field { DEFAULTS_EVENT = 11, DEFAULTS_CLOCK = 58 };

enum interned_field {
	INTERNED_CATEGORY = 1,
	INTERNED_NAME = 2,
	INTERNED_NOTE_NAME = 3, /* of debug annotations */
	INTERNED_SOURCE = 4,
	INTERNED_GPU_SPEC = 24,
	INTERNED_STRING = 29, /* values of debug annotations */
	INTERNED_GPU_COUNTERS = 47,
	INTERNED_KERNEL = 1000,
	INTERNED_KERNEL_ARG = 1001
};

/* Of each of them. */
enum { INTERNED_IID = 1, INTERNED_TEXT, KERNEL_DEMANGLED, SOURCE_FUNCTION = KERNEL_DEMANGLED };

enum track_field {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	TRACK_STATIC_NAME = 10
};

/* The messages in a track: of a process, a thread, a counter. */
enum { PROCESS_PID = 1, PROCESS_CMDLINE, PROCESS_SORT, PROCESS_NAME = 6, PROCESS_LABELS = 8 };
enum { THREAD_PID = 1, THREAD_TID, THREAD_SORT, THREAD_NAME = 5, THREAD_REFERENCE_US };
enum { COUNTER_TYPE = 1, COUNTER_CATEGORIES };
enum { COUNTER_MULTIPLIER = 4, COUNTER_INCREMENTAL, COUNTER_UNIT_NAME };

/* A process tree; its processes and threads. */
enum { TREE_PROCESS = 1, TREE_THREAD };
enum { TREE_PID = 1, TREE_CMDLINE = 3 };
enum { TREE_TID = 1, TREE_THREAD_NAME, TREE_TGID };

/* A snapshot of clocks, and one of them. */
enum { SNAPSHOT_CLOCK = 1, SNAPSHOT_PRIMARY };
enum { CLOCK_ID = 1, CLOCK_TIMESTAMP, CLOCK_INCREMENTAL, CLOCK_UNIT };

enum clock_id { CLOCK_REALTIME_ID = 1, CLOCK_BOOTTIME_ID = 6, CLOCK_OF_SEQUENCE = 64 };

enum event_field {
	EVENT_DELTA_US = 1,
	EVENT_CATEGORY_IID = 3,
	EVENT_NOTE = 4,
	EVENT_LEGACY = 6,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,
	EVENT_EXTRA_VALUE = 12,
	EVENT_ABSOLUTE_US = 16,
	EVENT_CATEGORY = 22,
	EVENT_NAME = 23,
	EVENT_COUNTER_VALUE = 30,
	EVENT_EXTRA_TRACK = 31,
	EVENT_SOURCE = 33,
	EVENT_SOURCE_IID = 34,
	EVENT_FLOW_OLD = 36,
	EVENT_FLOW_END_OLD = 42,
	EVENT_COUNTER_DOUBLE = 44,
	EVENT_EXTRA_DOUBLE_TRACK = 45,
	EVENT_EXTRA_DOUBLE = 46,
	EVENT_FLOW = 47,
	EVENT_FLOW_END = 48
};

enum event_type { TYPE_NONE, TYPE_BEGIN, TYPE_END, TYPE_INSTANT, TYPE_COUNTER };

enum legacy_field {
	LEGACY_NAME_IID = 1,
	LEGACY_PHASE = 2,
	LEGACY_DURATION_US = 3,
	LEGACY_UNSCOPED_ID = 6,
	LEGACY_BIND_ID = 8,
	LEGACY_LOCAL_ID = 10,
	LEGACY_GLOBAL_ID = 11,
	LEGACY_ENCLOSING = 12,
	LEGACY_SCOPE = 14,
	LEGACY_PID = 18,
	LEGACY_TID = 19
};

enum note_field {
	NOTE_NAME_IID = 1,
	NOTE_BOOL = 2,
	NOTE_UINT = 3,
	NOTE_INT = 4,
	NOTE_DOUBLE = 5,
	NOTE_STRING = 6,
	NOTE_POINTER = 7,
	NOTE_NESTED = 8,
	NOTE_JSON = 9,
	NOTE_NAME = 10,
	NOTE_DICT = 11,
	NOTE_ARRAY = 12,
	NOTE_STRING_IID = 17
};

/* A nested value of the old spelling: its fields; its type. */
enum { NESTED_TYPE = 1, NESTED_KEY, NESTED_MEMBER, NESTED_ELEMENT };
enum { NESTED_INT = 5, NESTED_DOUBLE, NESTED_BOOL, NESTED_STRING };
enum { NESTED_IS_DICT = 1, NESTED_IS_ARRAY };

enum stage_field {
	STAGE_EVENT_ID = 1,
	STAGE_DURATION = 2,
	STAGE_CONTEXT = 5,
	STAGE_EXTRA = 6,
	STAGE_GPU = 11,
	STAGE_QUEUE_IID = 13,
	STAGE_STAGE_IID = 14,
	STAGE_NAME = 17,
	STAGE_KERNEL_IID = 19,
	STAGE_NAME_IID = 20,
	STAGE_LAUNCH = 21
};

/* The messages in a stage: what else is said of it, its launch, an argument of that. */
enum { EXTRA_NAME = 1, EXTRA_VALUE };
enum { LAUNCH_GRID = 1, LAUNCH_BLOCK, LAUNCH_ARG };
enum { LAUNCH_ARG_NAME_IID = 1, LAUNCH_ARG_NAME, LAUNCH_ARG_INT, LAUNCH_ARG_UINT };

/* A bundle of Chrome's events; its metadata. */
enum { BUNDLE_METADATA = 2 };
enum { METADATA_NAME = 1, METADATA_STRING, METADATA_BOOL, METADATA_INT, METADATA_JSON };

/* Counters of a device; how they are described; a value of one. */
enum { GPU_COUNTER_SPECS = 1, GPU_COUNTER_VALUE, GPU_COUNTER_GPU, GPU_COUNTER_SPECS_IID };
enum { SPECS_SPEC = 1, SPEC_ID = 1, SPEC_NAME };
enum { VALUE_ID = 1, VALUE_INT, VALUE_DOUBLE };
