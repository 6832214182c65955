/* Who made the devices of a run, and their words for what advice names: one with AMD's GPUs is told
 * of HIP graphs and amd-smi, one with Ascend's NPUs of HCCL and npu-smi. */
#pragma once

#include "base/base.h"

struct run;

/* X(ID, what begins names of its devices, profilers or lanes, or stands in them; names of calls and
 * categories of events that only it has) */
#define MAKERS(X)                                                                           \
	X(NVIDIA, "NVIDIA|Tesla|Quadro|GeForce|Nsight", "cudaLaunchKernel|cudaMemcpyAsync") \
	X(AMD, "AMD|Instinct|Radeon|MI100|MI2|MI3|gfx|rocprof",                             \
		"hipLaunchKernel|hipMemcpyAsync|hipMemcpyWithStream|hipModuleLaunchKernel|" \
		"hipExtModuleLaunchKernel|hipGraphLaunch|hipDeviceSynchronize")             \
	X(HABANA, "Habana|Gaudi|HPU|Synapse", "hpu_op")                                     \
	X(INTEL, "Intel|Data Center GPU Max|unitrace", "xpu_runtime|gpu_op")                \
	X(ASCEND, "Ascend", "async_npu")                                                    \
	X(GOOGLE, "TPU|/device:TPU", "/device:TPU:0")                                       \
	X(AMAZON, "Neuron|Trainium|Inferentia", "NeuronCore 0")                             \
	X(META, "MTIA", "mtia_runtime")

enum maker {
#define X(id, ...) MAKER_##id,
	MAKERS(X)
#undef X
		MAKER_COUNT /* nobody knows */
};

/* By a device's name and the producer's; of a run also by its calls and categories. */
enum maker maker_named(struct span device, struct span producer);
enum maker maker_of(const struct run *r);

/* What is called otherwise in PyTorch by who made the devices: X(what it is called for Nvidia's,
 * and for AMD's, Habana's, Intel's, Ascend's, Google's, Amazon's, Meta's).  Longer ones come first.
 */
#define MAKER_WORDS(X)                                                                           \
	X("nvidia-smi nvlink -s", "amd-smi xgmi", "hl-smi -n link", "xpu-smi topology -m",       \
		"hccn_tool -stat -g", "tpu-info", "neuron-ls --topology", "the links")           \
	X("nvidia-smi -q", "amd-smi metric", "hl-smi -q", "xpu-smi stats", "npu-smi info",       \
		"tpu-info", "neuron-top", "its counters")                                        \
	X("nvidia-smi", "amd-smi", "hl-smi", "xpu-smi", "npu-smi", "tpu-info", "neuron-top",     \
		"its counters")                                                                  \
	X("NCCL chose (NCCL_DEBUG=INFO)", "RCCL chose (NCCL_DEBUG=INFO)", "HCCL chose",          \
		"oneCCL chose (CCL_LOG_LEVEL=info)", "HCCL chose (ASCEND_GLOBAL_LOG_LEVEL=1)",   \
		"XLA chose", "the runtime chose (NEURON_RT_LOG_LEVEL=INFO)",                     \
		"the collectives' library chose")                                                \
	X("NCCL", "RCCL", "HCCL", "oneCCL", "HCCL", "XLA's collectives", "Neuron's collectives", \
		"collectives")                                                                   \
	X("CUDA or HIP graphs", "HIP graphs", "HPU graphs", "SYCL graphs", "NPU graphs",         \
		"one jax.jit around the step", "one graph of the step", "graphs")                \
	X("CUDA graphs", "HIP graphs", "HPU graphs", "XPU graphs", "NPU graphs",                 \
		"one graph of the step", "one graph of the step", "graphs")                      \
	X("pool (cudaMallocAsync, hipMallocAsync)", "pool (hipMallocAsync)", "pool", "pool",     \
		"pool", "pool", "pool", "pool")                                                  \
	X("CUPTI", "roctracer", "Synapse's profiler", "PTI", "CANN", "XLA's profiler",           \
		"Neuron's profiler", "its tracer")                                               \
	X("_CUDA_", "_HIP_", "_HPU_", "_XPU_", "_NPU_", "_TPU_", "_NEURON_", "_MTIA_")           \
	X("cuda.", "cuda.", "hpu.", "xpu.", "npu.", "tpu.", "neuron.", "mtia.")                  \
	X("'cuda'", "'cuda'", "'hpu'", "'xpu'", "'npu'", "'tpu'", "'neuron'", "'mtia'")          \
	X("CUDA", "CUDA", "HPU", "XPU", "NPU", "TPU", "Neuron", "MTIA")

/* The text in that maker's words, in mem, or as it is.  PyTorch calls AMD's GPUs CUDA, too. */
const char *maker_words(enum maker maker, struct arena *mem, const char *text);
