/* What makes traces: how it is called, in which words it is told to record more, and
 * by what its Chrome JSON is known where nothing else says it. */
#pragma once

#include "analyze/trace/columns/kinds.h"
#include "base/base.h"

/* X(ID, name, column of RECORDINGS, signs): the first of which a sign is there made the trace.  A
 * sign is a KEY of the document, a CATEGORY of events, or what a PROCESS's name begins with; those
 * without one come in formats of their own. */
#define PRODUCERS(X)                                                                             \
	X(UNITRACE, "Intel unitrace", OTHER, CATEGORY("gpu_op"))                                 \
	X(ASCEND, "Ascend (torch_npu)", TORCH, PROCESS("Ascend Hardware") CATEGORY("async_npu")) \
	X(KINETO, "PyTorch (Kineto)", TORCH,                                                     \
		KEY("schemaVersion") KEY("deviceProperties") CATEGORY("cpu_op")                  \
			CATEGORY("operator") CATEGORY("kernel") CATEGORY("cuda_runtime")         \
				CATEGORY("user_annotation") CATEGORY("python_function"))         \
	X(TORCH_PERFETTO, "PyTorch (Perfetto)", PERFETTO, )                                      \
	X(NSYS, "Nsight Systems", NSYS, )                                                        \
	X(ROCPROF, "rocprofv3", ROCPROF, )                                                       \
	X(ROCPROF_PERFETTO, "rocprofv3 (Perfetto)", ROCPROF, )                                   \
	X(XPLANE, "JAX/TensorFlow (XPlane)", XLA, )                                              \
	X(JAX, "JAX/TensorFlow", XLA, PROCESS("/device:") PROCESS("/host:"))                     \
	X(ROCPROF_V1, "rocprof", ROCPROF, PROCESS("CPU HIP API") PROCESS("CPU HSA API"))         \
	X(PYSPY, "py-spy", OTHER, CATEGORY("py-spy"))                                            \
	X(VIZTRACER, "VizTracer", OTHER, KEY("viztracer_metadata"))                              \
	X(CLANG, "clang -ftime-trace", OTHER, KEY("beginningOfTime"))                            \
	X(RAY, "Ray", OTHER, CATEGORY("task:execute"))                                           \
	X(NODE, "Node.js", OTHER,                                                                \
		CATEGORY("node") CATEGORY("node,node.environment")                               \
			CATEGORY("node,node.bootstrap"))                                         \
	X(CHROME, "Chrome", OTHER,                                                               \
		CATEGORY("__metadata") KEY("systemTraceEvents") KEY("controllerTraceDataKey"))   \
	X(PERFETTO, "Perfetto", OTHER, )                                                         \
	X(OTHER, "Chrome trace format", OTHER, )

#define PRODUCER_ID(id, ...) PRODUCER_##id,
enum producer { PRODUCERS(PRODUCER_ID) PRODUCER_COUNT };

/* Columns of RECORDINGS. */
enum recorder { BY_TORCH, BY_PERFETTO, BY_NSYS, BY_ROCPROF, BY_XLA, BY_OTHER, RECORDERS };

enum producer_sign_kind { SIGN_NONE, SIGN_KEY, SIGN_CATEGORY, SIGN_PROCESS };
struct producer_sign {
	enum producer_sign_kind kind;
	const char *text;
};

enum { PRODUCER_SIGNS = 9 };

struct producer_info {
	const char *name;
	enum recorder words;
	struct producer_sign sign[PRODUCER_SIGNS]; /* SIGN_NONE: no more */
};

extern const struct producer_info producers[PRODUCER_COUNT];

struct run;

/* Whether it is known what the slices of a run are: by their categories, or by who made the trace.
 */
bool producers_know(const struct run *r);

/* Whether the program is PyTorch's: by who made the trace, or by names of ops, kernels, frames. */
bool producers_torch(const struct run *r);

/* "CUDA", "XPU", "NPU", "GPU": how who made the trace calls the device; torch calls AMD's CUDA,
 * too. Constant. */
const char *producers_device(const struct run *r);

/* What a task of Ascend's devices is by its type: KIND_KERNEL, KIND_MEMCPY, or KIND_SYNC for what
 * waits for another stream, or tells one, and keeps no device busy. */
enum kind producers_task_kind(struct span type);

/* Of that name.  What is not known is PRODUCER_OTHER. */
enum producer producer_named(struct span name);

/*
 * How to have something recorded that a trace lacks: what to tell its profiler, or that it cannot.
 */

#define NO_MEMORY       "the trace has no [memory] events of a GPU"
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
#define TORCH_WORK      "ProfilerActivity.CUDA and CUPTI record what calls launch"
#define XLA_NONE        "XLA's profiler records none"
#define OTHER_NONE      "its format has no known events"
#define XLA_STEP        "jax.profiler.StepTraceAnnotation"

/*
 * X(NAME, PyTorch's profiler, the same in Perfetto's format, Nsight Systems, rocprofv3, XLA's, any
 * other, of which nobody knows what it can record).
 * The first six are what `info` says of each thing that can be recorded.  The others are sentences.
 */
#define RECORDINGS(X)                                                                              \
	X(WORK, "ProfilerActivity.CUDA, and CUPTI", "ProfilerActivity.CUDA, and CUPTI", NSYS_CUDA, \
		ROCPROF_KERNELS, "jax.profiler.trace where the GPU is", OTHER_NONE)                \
	X(RUNTIME, "ProfilerActivity.CPU and CUDA together",                                       \
		"ProfilerActivity.CPU and CUDA together", NSYS_CUDA, ROCPROF_CALLS,                \
		"host_tracer_level=2", OTHER_NONE)                                                 \
	X(ALLOCATIONS, "profile_memory=True", "PyTorch writes them to JSON only", NSYS_MEMORY,     \
		ROCPROF_MEMORY, XLA_NONE, OTHER_NONE)                                              \
	X(SHAPES, "record_shapes=True", "record_shapes=True", "emit_nvtx(record_shapes=True)",     \
		"emit_nvtx(record_shapes=True)", XLA_NONE, OTHER_NONE)                             \
	X(STACKS, "with_stack=True", "with_stack=True", "exports of Nsight Systems hold none",     \
		"rocprofv3 records none", "python_tracer_level=1", OTHER_NONE)                     \
	X(RANGES, TORCH_RANGE, TORCH_RANGE, NSYS_RANGE, ROCPROF_RANGE ", " ROCPROF_MARKS,          \
		XLA_STEP, OTHER_NONE)                                                              \
	X(STACKS_HINT, "with_stack=True records stacks", "with_stack=True records stacks",         \
		"exports of Nsight Systems hold no stacks of Python",                              \
		"rocprofv3 records no stacks of Python",                                           \
		"python_tracer_level=1 records Python functions",                                  \
		OTHER_NONE " of Python functions")                                                 \
	X(MEMORY, "they are recorded with profile_memory=True",                                    \
		"PyTorch writes those of profile_memory=True to JSON only",                        \
		"they are recorded with " NSYS_MEMORY, ROCPROF_MEMORY, XLA_NONE,                   \
		OTHER_NONE " of allocations")                                                      \
	X(NO_MEMORY, NO_MEMORY " (profile_memory=True)",                                           \
		NO_MEMORY " (profile_memory=True, as JSON)", NO_MEMORY " (" NSYS_MEMORY ")",       \
		NO_MEMORY, NO_MEMORY, NO_MEMORY)                                                   \
	X(ANNOTATIONS, TORCH_RANGE "(\"name\")", TORCH_RANGE "(\"name\")",                         \
		NSYS_RANGE "(\"name\")", ROCPROF_RANGE "(\"name\") with " ROCPROF_MARKS,           \
		XLA_STEP "(\"name\", step_num=i)", "slices of the category user_annotation")       \
	X(STEPS, TORCH_STEPS, TORCH_STEPS,                                                         \
		"an NVTX range of one name around each, " NSYS_RANGE "(\"step\"), marks them",     \
		ROCPROF_RANGE "(\"step\") around each marks them, with " ROCPROF_MARKS,            \
		XLA_STEP "(\"train\", step_num=i) marks them", "nothing in it marks them")         \
	X(DEVICE, TORCH_CPU, TORCH_CPU, NSYS_CUDA " records them, where there is a GPU",           \
		ROCPROF_KERNELS " records them, where there is a GPU",                             \
		"no plane of a device: it is recorded by who runs where the GPU is",               \
		"nothing in it is known as work of a GPU")                                         \
	X(LAUNCHED, TORCH_WORK, TORCH_WORK, NSYS_CUDA " records what calls launch",                \
		ROCPROF_KERNELS " records what calls launch",                                      \
		"what calls launch is recorded by who runs where the GPU is",                      \
		"nothing in it is known as what calls launch")                                     \
	X(CALLS, "record it with activities=[CPU, CUDA]", "record it with activities=[CPU, CUDA]", \
		"record it with " NSYS_CUDA " --cuda-graph-trace=node",                            \
		"record it with " ROCPROF_CALLS " --kernel-trace",                                 \
		"XLA's profiler records no captures", OTHER_NONE " of captures")

#define RECORDING_ID(name, ...) RECORDING_##name,
enum recording { RECORDINGS(RECORDING_ID) RECORDING_COUNT };

/* The words of the profiler that recorded the run; constant. */
const char *recording_word(const struct run *r, enum recording what);
