/*
 * How to have something recorded that a trace lacks: what to tell its profiler, or that it cannot.
 */
#ifndef ANALYZE_TRACE_RECORDING_H
#define ANALYZE_TRACE_RECORDING_H

struct run;

#define NO_MEMORY       "the trace has no [memory] events of a device"
#define NSYS_CUDA       "nsys profile --trace=cuda"
#define NSYS_MEMORY     "nsys profile --cuda-memory-usage=true"
#define NSYS_RANGE      "torch.cuda.nvtx.range"
#define ROCPROF_KERNELS "rocprofv3 --kernel-trace"
#define ROCPROF_CALLS   "rocprofv3 --hip-trace"
#define ROCPROF_RANGE   "roctxRangePush"
#define ROCPROF_MARKS   "rocprofv3 --marker-trace"
#define ROCPROF_MEMORY  "rocprofv3 records none of PyTorch's"
#define TORCH_RANGE     "torch.profiler.record_function"
#define TORCH_STEPS     "profiler.step() marks them, or record_function(\"step\") around each"
#define TORCH_CPU       "activities=[CPU], no GPU, or the profiler could not record it"
#define XLA_NONE        "XLA's profiler records none"
#define XLA_STEP        "jax.profiler.StepTraceAnnotation"

/*
 * X(NAME, PyTorch's profiler, the same in Perfetto's format, Nsight Systems, rocprofv3, XLA's).
 * The first six are what `info` says of each thing that can be recorded; the others are sentences.
 */
#define RECORDINGS(X)                                                                              \
	X(WORK, "ProfilerActivity.CUDA, and CUPTI", "ProfilerActivity.CUDA, and CUPTI", NSYS_CUDA, \
		ROCPROF_KERNELS, "jax.profiler.trace where the device is")                         \
	X(RUNTIME, "ProfilerActivity.CPU and CUDA together",                                       \
		"ProfilerActivity.CPU and CUDA together", NSYS_CUDA, ROCPROF_CALLS,                \
		"host_tracer_level=2")                                                             \
	X(ALLOCATIONS, "profile_memory=True", "PyTorch writes them to JSON only", NSYS_MEMORY,     \
		ROCPROF_MEMORY, XLA_NONE)                                                          \
	X(SHAPES, "record_shapes=True", "record_shapes=True", "emit_nvtx(record_shapes=True)",     \
		"emit_nvtx(record_shapes=True)", XLA_NONE)                                         \
	X(STACKS, "with_stack=True", "with_stack=True", "exports of Nsight Systems hold none",     \
		"rocprofv3 records none", "python_tracer_level=1")                                 \
	X(RANGES, TORCH_RANGE, TORCH_RANGE, NSYS_RANGE, ROCPROF_RANGE ", " ROCPROF_MARKS,          \
		XLA_STEP)                                                                          \
	X(STACKS_HINT, "with_stack=True records stacks", "with_stack=True records stacks",         \
		"exports of Nsight Systems hold no stacks of Python",                              \
		"rocprofv3 records no stacks of Python",                                           \
		"python_tracer_level=1 records Python functions")                                  \
	X(MEMORY, "they are recorded with profile_memory=True",                                    \
		"PyTorch writes those of profile_memory=True to JSON only",                        \
		"they are recorded with " NSYS_MEMORY, ROCPROF_MEMORY, XLA_NONE)                   \
	X(NO_MEMORY, NO_MEMORY " (profile_memory=True)",                                           \
		NO_MEMORY " (profile_memory=True, as JSON)", NO_MEMORY " (" NSYS_MEMORY ")",       \
		NO_MEMORY, NO_MEMORY)                                                              \
	X(ANNOTATIONS, TORCH_RANGE "(\"name\")", TORCH_RANGE "(\"name\")",                         \
		NSYS_RANGE "(\"name\")", ROCPROF_RANGE "(\"name\") with " ROCPROF_MARKS,           \
		XLA_STEP "(\"name\", step_num=i)")                                                 \
	X(STEPS, TORCH_STEPS, TORCH_STEPS,                                                         \
		"an NVTX range of one name around each, " NSYS_RANGE "(\"step\"), marks them",     \
		ROCPROF_RANGE "(\"step\") around each marks them, with " ROCPROF_MARKS,            \
		XLA_STEP "(\"train\", step_num=i) marks them")                                     \
	X(DEVICE, TORCH_CPU, TORCH_CPU, NSYS_CUDA " records them, where there is a GPU",           \
		ROCPROF_KERNELS " records them, where there is a GPU",                             \
		"no plane of a device: it is recorded by who runs where the device is")            \
	X(CALLS, "record it with activities=[CPU, CUDA]", "record it with activities=[CPU, CUDA]", \
		"record it with " NSYS_CUDA " --cuda-graph-trace=node",                            \
		"record it with " ROCPROF_CALLS " --kernel-trace",                                 \
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
