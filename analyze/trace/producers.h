/*
 * What makes traces: how it is called, in which words it is told to record more (recording.h), and
 * by what its Chrome JSON is known where nothing else says it.
 */
#ifndef ANALYZE_TRACE_PRODUCERS_H
#define ANALYZE_TRACE_PRODUCERS_H

#include "base/str.h"

/*
 * X(ID, name, column of RECORDINGS, signs): the first of which a sign is there made the trace.  A
 * sign is a KEY of the document, a CATEGORY of events, or what a PROCESS's name begins with; those
 * without one come in formats of their own.
 */
#define PRODUCERS(X)                                                                             \
	X(KINETO, "PyTorch (Kineto)", TORCH,                                                     \
		KEY("schemaVersion") KEY("deviceProperties") CATEGORY("cpu_op")                  \
			CATEGORY("operator") CATEGORY("kernel"))                                 \
	X(TORCH_PERFETTO, "PyTorch (Perfetto)", PERFETTO, )                                      \
	X(NSYS, "Nsight Systems", NSYS, )                                                        \
	X(ROCPROF, "rocprofv3", ROCPROF, )                                                       \
	X(ROCPROF_PERFETTO, "rocprofv3 (Perfetto)", ROCPROF, )                                   \
	X(XPLANE, "JAX/TensorFlow (XPlane)", XLA, )                                              \
	X(JAX, "JAX/TensorFlow", XLA, PROCESS("/device:") PROCESS("/host:"))                     \
	X(ASCEND, "Ascend (torch_npu)", TORCH, PROCESS("Ascend Hardware") CATEGORY("async_npu")) \
	X(PYSPY, "py-spy", TORCH, CATEGORY("py-spy"))                                            \
	X(VIZTRACER, "VizTracer", TORCH, KEY("viztracer_metadata"))                              \
	X(CLANG, "clang -ftime-trace", TORCH, KEY("beginningOfTime"))                            \
	X(NODE, "Node.js", TORCH,                                                                \
		CATEGORY("node") CATEGORY("node,node.environment")                               \
			CATEGORY("node,node.bootstrap"))                                         \
	X(CHROME, "Chrome", TORCH,                                                               \
		CATEGORY("__metadata") KEY("systemTraceEvents") KEY("controllerTraceDataKey"))   \
	X(PERFETTO, "Perfetto", TORCH, )                                                         \
	X(OTHER, "Chrome trace format", TORCH, )

enum producer {
#define X(id, name, words, signs) PRODUCER_##id,
	PRODUCERS(X)
#undef X
		PRODUCER_COUNT
};

/* Columns of RECORDINGS. */
enum recorder { BY_TORCH, BY_PERFETTO, BY_NSYS, BY_ROCPROF, BY_XLA, RECORDERS };

enum producer_sign_kind { SIGN_NONE, SIGN_KEY, SIGN_CATEGORY, SIGN_PROCESS };
struct producer_sign {
	enum producer_sign_kind kind;
	const char *text;
};

enum { PRODUCER_SIGNS = 6 };

struct producer_info {
	const char *name;
	enum recorder words;
	struct producer_sign sign[PRODUCER_SIGNS]; /* SIGN_NONE: no more */
};

extern const struct producer_info producers[PRODUCER_COUNT];

/* Of that name; what is not known is PRODUCER_OTHER. */
enum producer producer_named(struct span name);

#endif
