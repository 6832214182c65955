/* What an event is, whatever its producer called it.
 *
 * Source of the spellings: trace files of Kineto 2021-2026 and its ActivityType table; see
 * docs/formats.md. */
#pragma once

#include "base/base.h"

/* KIND(NAME, word for people and JSON) */
#define KINDS(X)                                                                  \
	X(OTHER, "other")                /* a slice of no known category */       \
	X(OP, "cpu_op")                  /* framework operators */                \
	X(ANNOTATION, "user_annotation") /* record_function regions on the CPU */ \
	X(PYTHON, "python_function")                                              \
	X(RUNTIME, "runtime") /* runtime and driver calls */                      \
	X(KERNEL, "kernel")                                                       \
	X(MEMCPY, "memcpy")                                                       \
	X(MEMSET, "memset")                                                       \
	X(SYNC, "sync") /* cuda_sync: waiting, never busy time */                 \
	X(GPU_ANNOTATION, "gpu_user_annotation")                                  \
	X(GPU_EVENT, "gpu_event") /* cuda_event records, profiler ranges */       \
	X(OVERHEAD, "overhead")   /* the profiler's own work */                   \
	X(MEMORY, "memory")       /* [memory] and [OutOfMemory] instants */       \
	X(SPAN, "trace_span")     /* the profiler's window */                     \
	X(INSTANT, "instant")                                                     \
	X(COUNTER, "counter")                                                     \
	X(FLOW, "flow")                                                           \
	X(ASYNC, "async")

#define KIND_ID(name, ...) KIND_##name,
enum kind { KINDS(KIND_ID) KIND_COUNT };

/* Sets of kinds, as bit masks. */
#define KIND_BIT(k)  (1u << (k))
#define KINDS_DEVICE (KIND_BIT(KIND_KERNEL) | KIND_BIT(KIND_MEMCPY) | KIND_BIT(KIND_MEMSET))
#define KINDS_HOST_TREE                                                           \
	(KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION) | KIND_BIT(KIND_RUNTIME) | \
		KIND_BIT(KIND_OTHER))
#define KINDS_ALL ((1u << KIND_COUNT) - 1)

/* The category of what traceq writes beside the events of a trace: it is none of them, and reading
 * passes over it. */
#define OWN_CAT "traceq"

/* An M event of that name says which lane what lies on its own belongs to, as args' name: the
 * other's tid, or LANE_HOME_STREAM, that of its stream (edit/viewer_lanes.h). */
#define LANE_HOME_NAME   "traceq_lane"
#define LANE_HOME_STREAM "stream"

/* "cpu_op", "kernel", ...; constant. */
const char *kind_word(enum kind k);

/* The kind of a slice (ph X, B) by its cat text, ignoring case; KIND_OTHER when unknown.  Some old
 * spellings need more than the cat: see kind_refine. */
enum kind kind_of_cat(struct span cat);

/* The kind when the name matters too: 2021 traces have no user_annotation, so ProfilerStep#N,
 * Optimizer.*, enumerate(DataLoader)* remain KIND_OP there (as their producer counted them), while
 * "[memory]" instants are KIND_MEMORY under any cat. */
enum kind kind_refine(enum kind k, struct span name);

/* True for kernels, copies and sets: the work a device does. */
static inline bool kind_is_device(enum kind k)
{
	return (KIND_BIT(k) & KINDS_DEVICE) != 0;
}

/* The same, and what else lies on lanes of devices: waits, and regions of the device. */
static inline bool kind_is_on_device(enum kind k)
{
	return kind_is_device(k) || k == KIND_SYNC || k == KIND_GPU_ANNOTATION ||
		k == KIND_GPU_EVENT;
}
