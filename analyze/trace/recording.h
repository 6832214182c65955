/*
 * How to have something recorded that a trace lacks: what to tell its profiler, or that it cannot.
 */
#ifndef ANALYZE_TRACE_RECORDING_H
#define ANALYZE_TRACE_RECORDING_H

struct run;

#define NO_MEMORY "the trace has no [memory] events of a device"

/* X(NAME, PyTorch's profiler, the same in Perfetto's format, Nsight Systems, rocprofv3, XLA's) */
#define RECORDINGS(X)                                                                              \
	X(SHAPES, "record_shapes=True", "record_shapes=True", "emit_nvtx(record_shapes=True)",     \
		"emit_nvtx(record_shapes=True)", "XLA's profiler records none")                    \
	X(STACKS, "with_stack=True", "with_stack=True", "exports of Nsight Systems hold none",     \
		"rocprofv3 records none", "python_tracer_level=1")                                 \
	X(STACKS_HINT, "with_stack=True records stacks", "with_stack=True records stacks",         \
		"exports of Nsight Systems hold no stacks of Python",                              \
		"rocprofv3 records no stacks of Python",                                           \
		"python_tracer_level=1 records Python functions")                                  \
	X(MEMORY, "they are recorded with profile_memory=True",                                    \
		"PyTorch writes those of profile_memory=True to JSON only",                        \
		"they are recorded with nsys profile --cuda-memory-usage=true",                    \
		"rocprofv3 records none of PyTorch's", "XLA's profiler records none")              \
	X(NO_MEMORY, NO_MEMORY " (profile_memory=True)",                                           \
		NO_MEMORY " (profile_memory=True, as JSON)",                                       \
		NO_MEMORY " (nsys profile --cuda-memory-usage=true)", NO_MEMORY, NO_MEMORY)        \
	X(ANNOTATIONS, "torch.profiler.record_function(\"name\")",                                 \
		"torch.profiler.record_function(\"name\")", "torch.cuda.nvtx.range(\"name\")",     \
		"roctxRangePush(\"name\") with rocprofv3 --marker-trace",                          \
		"jax.profiler.StepTraceAnnotation(\"name\", step_num=i)")                          \
	X(STEPS, "profiler.step() marks them, or record_function(\"step\") around each",           \
		"profiler.step() marks them, or record_function(\"step\") around each",            \
		"an NVTX range of one name around each, torch.cuda.nvtx.range(\"step\"), marks "   \
		"them",                                                                            \
		"roctxRangePush(\"step\") around each marks them, with rocprofv3 --marker-trace",  \
		"jax.profiler.StepTraceAnnotation(\"train\", step_num=i) marks them")              \
	X(DEVICE, "activities=[CPU], no GPU, or the profiler could not record it",                 \
		"activities=[CPU], no GPU, or the profiler could not record it",                   \
		"nsys profile --trace=cuda records them, where there is a GPU",                    \
		"rocprofv3 --kernel-trace records them, where there is a GPU",                     \
		"no plane of a device: it is recorded by who runs where the device is")            \
	X(CALLS, "record it with activities=[CPU, CUDA]", "record it with activities=[CPU, CUDA]", \
		"record it with nsys profile --trace=cuda --cuda-graph-trace=node",                \
		"record it with rocprofv3 --hip-trace --kernel-trace",                             \
		"XLA's profiler records no captures")

enum recording {
#define X(name, torch, perfetto, nsys, rocprof, xla) RECORDING_##name,
	RECORDINGS(X)
#undef X
		RECORDING_COUNT
};

/* The words of the profiler that recorded the run; constant. */
const char *recording_word(const struct run *r, enum recording what);

#endif
