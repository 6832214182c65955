/*
 * How to have something recorded that a trace lacks: what to tell its profiler.
 */
#ifndef ANALYZE_TRACE_RECORDING_H
#define ANALYZE_TRACE_RECORDING_H

struct run;

#define NO_MEMORY "the trace has no [memory] events of a device"

/* X(NAME, PyTorch's profiler, Nsight Systems) */
#define RECORDINGS(X)                                                             \
	X(SHAPES, "record_shapes=True", "emit_nvtx(record_shapes=True)")          \
	X(STACKS, "with_stack=True", "exports of Nsight Systems hold none")       \
	X(STACKS_HINT, "with_stack=True records stacks",                          \
		"exports of Nsight Systems hold no stacks of Python")             \
	X(MEMORY, "profile_memory=True", "nsys profile --cuda-memory-usage=true") \
	X(NO_MEMORY, NO_MEMORY " (profile_memory=True)",                          \
		NO_MEMORY " (nsys profile --cuda-memory-usage=true)")             \
	X(ANNOTATIONS, "torch.profiler.record_function(\"name\")",                \
		"torch.cuda.nvtx.range(\"name\")")

enum recording {
#define X(name, torch, nsys) RECORDING_##name,
	RECORDINGS(X)
#undef X
		RECORDING_COUNT
};

/* The words of the profiler that recorded the run; constant. */
const char *recording_word(const struct run *r, enum recording what);

#endif
