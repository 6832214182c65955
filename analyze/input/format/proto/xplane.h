/* XPlane: what the profiler of XLA (JAX, TensorFlow, PyTorch/XLA) leaves behind, one message XSpace
 * of planes: a device or the host each.  A plane has lines (streams, threads) of events whose names
 * and statistics are numbers.  What these mean stands behind the lines.
 *
 * Private to analyze/input/format/proto/xplane*.c.  Source of the field numbers: xplane.proto of
 * tensorflow/tsl. */
#pragma once

#include "analyze/input/format/emit_events.h"
#include "analyze/trace/columns/keymap.h"
#include "base/base.h"

/* Statistics that say something to traceq: X(NAME, name in the file) */
#define XSTATS(X)                        \
	X(CORRELATION, "correlation_id") \
	X(KERNEL, "kernel_details")      \
	X(COPY, "memcpy_details")        \
	X(SET, "memset_details")         \
	X(STEP, "step_num")              \
	X(TF_OP, "tf_op")                \
	X(MODULE, "hlo_module")          \
	X(FLOPS, "flops")                \
	X(ACCESSED, "bytes_accessed")    \
	X(START, "profile_start_time")   \
	X(CORES, "core_count")           \
	X(MEMORY, "memory_size")         \
	X(MAJOR, "compute_cap_major")    \
	X(MINOR, "compute_cap_minor")    \
	X(VENDOR, "device_vendor")       \
	X(TYPE, "device_type_string")

enum xstat {
#define X(name, text) XSTAT_##name,
	XSTATS(X)
#undef X
		XSTAT_COUNT,
	XSTAT_OTHER = XSTAT_COUNT
};

/* The value of a statistic. */
struct xvalue {
	bool there;
	int64_t number;   /* of the integers, and of the doubles that are whole */
	struct span text; /* of texts and of references to such; p NULL: it is a number */
};

/* The meaning of a statistic's number, and of an event's. */
struct xstat_meaning {
	enum xstat is;
	struct span name;
};

struct xevent_meaning {
	struct span name, display_name, stats; /* stats: its fields 5, looked through when asked */
};

/* A plane: everything points into its message, which has EMIT_PADDING bytes behind it. */
struct xplane {
	struct span message, name;
	struct valuemap stats;            /* int64_t: struct xstat_meaning */
	struct valuemap events;           /* int64_t: struct xevent_meaning */
	struct xvalue value[XSTAT_COUNT]; /* the plane's own */
	int64_t device;                   /* number of "/device:GPU:3"; -1: it is none */
	bool has_streams;                 /* one of its lines is a stream */
};

void xplane_open(struct xplane *p, struct span message);
void xplane_close(struct xplane *p);

/* Arguments: X(member, key of Kineto's args) */
#define XKEYS(X)                                  \
	X(correlation, "correlation")             \
	X(device, "device")                       \
	X(stream, "stream")                       \
	X(grid, "grid")                           \
	X(block, "block")                         \
	X(registers, "registers per thread")      \
	X(shared, "shared memory")                \
	X(occupancy, "est. achieved occupancy %") \
	X(bytes, "bytes")                         \
	X(copy, "memcpy_details")                 \
	X(region, "name")                         \
	X(module, "module_fqn")                   \
	X(flops, "flops")                         \
	X(accessed, "bytes accessed")

/* What is asked of the emitter's keys, once. */
struct xkeys {
#define X(member, key) uint8_t member;
	XKEYS(X)
#undef X
};

/* What the reading of all planes shares. */
struct xreading {
	struct emit_sink *out;
	struct emitter emitter;
	struct xkeys keys;
	size_t emitted;        /* since the last merge */
	struct str gpus;       /* deviceProperties, as JSON so far */
	int64_t start_ns;      /* since 1970, -1: not said */
	int64_t first_line_ns; /* the earliest timestamp of a line; INT64_MAX */
	int64_t hosts;         /* planes of hosts so far */
};

/* Emits a plane's events, and merges them.  offset: of its message in the file. */
enum status xplane_emit(
	struct xreading *x, struct xplane *p, int64_t offset, struct err *e) MUST_CHECK;
