/* The general words, by topic.  Columns are explained where their table is defined, problems of
 * files in analyze/trace/columns/tally.h. */
#include "cmd/help/explain_words.h"

#define TORCH "torch/autograd/profiler_util.py"

/* A row; a macro, and no braces, so that clang-format wraps it instead of aligning columns. */
#define TERM(word, also, definition, source)   \
	{                                      \
		word, also, definition, source \
	}
#define OWN_TERM(word, also, definition) TERM(word, also, definition, NULL) /* nobody else's */
static const struct glossary_entry entries[] = {
	/* the CPU side */
	TERM("op tree", "cpu op tree|tree",
		"Which call encloses which on a thread. The events of a thread are taken by "
		"start, the longer first; an event is a child of the innermost open one that it "
		"does not outlast. An event that only partly overlaps an open one closes it. Ops, "
		"annotations and runtime calls are its rows.",
		TORCH ", EventList._populate_cpu_children"),
	TERM("self time", "self cpu|self cpu time",
		"The duration of a call minus the durations of its direct children in the op "
		"tree. Runtime calls such as cudaLaunchKernel are rows of their own, so the self "
		"time of an op is without them. Self times add up to the time of the roots; total "
		"times do not: they count nested calls again.",
		TORCH ", self_cpu_time_total"),
	TERM("total time", "cpu total|cpu total time",
		"The duration of a call with everything it encloses. Summed by name it counts "
		"nested calls more than once; only self times can be added up.",
		TORCH ", cpu_time_total"),
	TERM("dedup", "dedup_count|remove_dup_nodes",
		"torch drops an event that is its parent's only child and has the parent's name; "
		"its children move up to the parent. That is repeated until nothing changes, and "
		"keeps wrappers from being counted twice.",
		TORCH ", EventList._remove_dup_nodes"),
	OWN_TERM("runtime call", "runtime|driver call",
		"A call of the CUDA or HIP runtime or driver on the CPU: launches, copies, "
		"synchronization. Its time is CPU time; what it starts on the GPU is a GPU "
		"event of its own."),
	OWN_TERM("annotation", "user annotation",
		"A named region of the program: record_function in PyTorch, NVTX ranges "
		"elsewhere. Its copy on the GPU's timeline (gpu_user_annotation) is not GPU "
		"work."),

	/* the device side */
	OWN_TERM("GPU event", "device event|device work|GPU work|work on the GPU",
		"A kernel, a copy or a set: the work a GPU does. Annotations and waiting "
		"(cuda_sync) on the GPU's timeline are none."),
	TERM("sum", "GPU time|GPU sum|device sum|device time|self device time|device total",
		"GPU time as a sum: the durations of GPU events added up, as torch does. "
		"Events of several streams that run at the same time count each, so a sum can "
		"exceed the time that passed. The other figure is busy.",
		TORCH ", device_time_total"),
	OWN_TERM("busy", "busy time|union",
		"GPU time as a union: how long at least one GPU event was running; overlapping "
		"events count once. Never more than the span. The other figure is sum."),
	OWN_TERM("idle", "idle time|gap",
		"The window less the time in which a GPU ran anything, and less unrecorded "
		"time. 'traceq idle' says what it waited for; the parts add up."),
	OWN_TERM("window", NULL,
		"What a run's figures are about: the steps that count (of those that --steps "
		"takes the first and the last are set aside when five or more remain); where "
		"nothing marks steps, from the first launch to the end of the last GPU work. "
		"Work outside of it is in no figure of steps, and a note says how much that is."),
	OWN_TERM("gpu busy", "utilization|gpu utilisation",
		"The share of the window, unrecorded time aside, in which at least one kernel, "
		"copy or set runs on a GPU; the mean where there are several. One figure in all "
		"answers."),
	OWN_TERM("verdict", NULL,
		"One word for a run: that of the largest part of its window on the GPU that "
		"computes least. A second part is named that is within a fifth of the first, or "
		"a loss of 30%."),
	OWN_TERM("span", NULL, "From the first start to the last end of the events in question."),
	TERM("op device time", "self gpu|self cuda|self cuda time|device time of an op",
		"The durations of the GPU events whose launching runtime call has the op as "
		"its innermost enclosing op. A GPU event without a launch in the trace counts "
		"for the op of the same External id, and for none when there is no such op.",
		TORCH ", self_device_time_total"),
	OWN_TERM("comm", "communication|collective|comm kernel",
		"A kernel that moves data between GPUs: by its name (NCCL, RCCL, oneCCL, HCCL, "
		"MSCCL++, NVSHMEM, DeepEP and other libraries of experts, all_reduce and its "
		"like), by the op that launched it where its name says nothing, or by --comm. "
		"All other kernels and sets are compute."),
	OWN_TERM("compute", NULL, "Kernels that are not comm, and sets."),
	OWN_TERM("phase", "training phase|phases",
		"A part of a training step: data loading, forward, backward or optimizer. A "
		"call belongs to the phase its own name says (enumerate(DataLoader), an "
		"autograd node, Optimizer.step), else to its caller's; an operator without any "
		"is forward. A GPU event has the phase of the op that launched it."),
	OWN_TERM("exposed", "exposed comm|exposed memcpy",
		"Time of one class not hidden behind a more useful one. Exposed comm: comm runs "
		"and compute does not. Exposed memcpy: a copy runs, and neither compute nor comm "
		"does."),
	OWN_TERM("ledger", NULL,
		"How a step's time divides, exactly in integer ns, per device: step = compute "
		"+ exposed communication + exposed copies + idle (+ unrecorded)."),
	OWN_TERM("sync", "cuda_sync|cuda sync",
		"Waiting that the profiler draws on the GPU's timeline. Never busy time."),

	TERM("stretch", "id|ids|stretch of time",
		"A piece of a run's time by its id, which says where it is: gap:0@31294811 is "
		"the gap of GPU 0 that this moment is in; path@31294811+4821 and "
		"G07@31294811+4821 are so long from then on, a piece of the critical path and "
		"where a finding is worst; step:7 is a step. Times are ns from the first event, "
		"or have a unit (31.3ms). An id means the same whatever else was asked.",
		"docs/definitions.md, ids of stretches of time"),

	/* what could be faster */
	TERM("critical path", NULL,
		"From the end of a run backwards, always to what finished last of what was "
		"waited for: GPU work, launches, syncs, threads. Only what is on it makes the "
		"run longer. Its segments lie end to end, each with one owner, so that owners "
		"add up to the steps in integer ns.",
		"HTA critical_path_analysis.py; docs/definitions.md says what differs"),
	TERM("slack", "float|total float",
		"Of work that is not on the critical path: how much longer it could take, all "
		"else the same, before the run ended later.",
		"Kelley and Walker 1959"),
	TERM("what-if", "what if|scenario",
		"The same dependencies timed again with other durations. Everything that does not "
		"change takes as long as it did; a stream, a thread and a link do one thing after "
		"the other.",
		"Zhu et al. 2020 (Daydream); docs/definitions.md"),
	TERM("roofline", "roof|roofline model|speed of light",
		"The least time in which a GPU can do a piece of work: the longer of FLOP over "
		"the peak of their number format and bytes over the memory's bandwidth. Work is "
		"compute-bound or memory-bound by which of them that is.",
		"Williams, Waterman and Patterson 2009"),
	TERM("arithmetic intensity", "operational intensity|flop/b|flops per byte",
		"FLOP over the bytes that have to be moved, of one call.",
		"Williams, Waterman and Patterson 2009"),
	TERM("ridge point", "machine balance",
		"The arithmetic intensity from which on a GPU can reach its peak: below it "
		"memory is the roof.",
		"Williams, Waterman and Patterson 2009"),
	TERM("mfu", "model flop utilisation|model flops utilization|model flop utilization",
		"FLOP that the model needs, forward and backward, over what the GPUs could do "
		"in the time of the step at their dense peaks. What is computed again "
		"(recomputation) does not count.",
		"PaLM (Chowdhery et al. 2022), appendix B"),
	TERM("hfu", "hardware flop utilisation|hardware flops utilization|recomputation",
		"As MFU, with what is computed again: activation checkpoints, and the product that "
		"flash attention's backward repeats.",
		"PaLM (Chowdhery et al. 2022), appendix B"),

	/* joining the two */
	TERM("launch link", "link|linked|launch|correlation|correlation id",
		"A GPU event belongs to the runtime call with the same correlation id; of "
		"several calls with one id, the earliest.",
		"CUPTI activity records"),
	OWN_TERM("graph launch", "graph linked|cuda graph|graph",
		"A runtime call that started several GPU events with one correlation id: a "
		"CUDA or HIP graph. Its events are linked to the call, not to the ops that were "
		"captured."),
	OWN_TERM("unlinked", NULL,
		"A GPU event whose launching call is not in the trace: the recording began "
		"later, or the producer wrote no correlation id."),
	TERM("external id", "ext id",
		"The number by which the profiler ties GPU events and runtime calls to a CPU "
		"op (args \"External id\").",
		"Kineto, output_json.cpp"),

	/* places */
	OWN_TERM("lane", NULL,
		"Where events happen: a thread of a process, or a stream of a GPU. Events of a "
		"host lane nest; those of a stream follow each other."),
	OWN_TERM("stream", NULL,
		"A queue of a device: args.stream of its events, else their tid. Work in one "
		"stream runs in order; streams run side by side."),
	OWN_TERM("device", "GPU|accelerator",
		"A GPU, or whatever else work is launched on (TPU, NPU): args.device of its events, "
		"else their pid. Answers say GPU for all of them."),
	OWN_TERM("rank", "world size",
		"The number of a process in a distributed job, distributedInfo.rank of the trace; "
		"world size is how many there are."),
	OWN_TERM("kind", "cat|category",
		"What an event is, whatever its producer calls it: cpu_op, kernel, memcpy, ... "
		"--cat takes kinds, and the categories as the file spells them."),

	/* steps */
	OWN_TERM("step", "profilerstep|profiler step",
		"One iteration: the CPU range of ProfilerStep#N; else of an annotation that "
		"repeats three times or more with 80% of the GPU's work launched in it; else "
		"the whole run is one step, from the first launch to the end of the last GPU "
		"work, which is then said. Where the CPU runs ahead (the first work of steps "
		"starts more than a tenth of a step after its launch) steps are cut on the "
		"device: from the first work of a step to that of the next. A GPU event belongs "
		"to the step in which it was launched."),
	TERM("incomplete step", "incomplete",
		"The last step when the recording ended before its GPU work did: it has fewer "
		"than 0.8 of the GPU events of the step before, or its own range has no end. It "
		"is kept, and marked.",
		"the TensorBoard plugin's rule"),
	OWN_TERM("step median", NULL,
		"The median over steps; the first and the last are set aside when there are five "
		"or more."),

	/* figures */
	OWN_TERM("median", "p50",
		"Half of the values are below it: columns p50_ns of calls, median_ns of steps."),
	OWN_TERM("average", "avg|mean|per call",
		"The sum of the durations divided by the number of calls."),
	TERM("p95", "quantile|percentile",
		"The duration that 95% of the calls do not exceed, interpolated linearly between "
		"the two calls beside it.",
		"Hyndman and Fan 1996, type 7; as numpy.percentile"),
	OWN_TERM("cumulative", "cum|cum%|cumulative share",
		"The share of this row and of all rows above it."),
	OWN_TERM("cpu/cuda ratio", "cpu cuda ratio|cpu gpu ratio",
		"Self CPU time over GPU time. Formulas found elsewhere divide sums of total "
		"times, which count nested calls more than once."),
	OWN_TERM("unfinished", NULL,
		"A slice whose end is not in the trace: kept with the duration that is known, and "
		"counted."),
	OWN_TERM("strict", NULL,
		"With --strict, a file that is cut short or damaged is an error (exit 2) instead "
		"of a warning."),

	/* communication */
	OWN_TERM("NCCL", "rccl|collective library",
		"The library that GPUs exchange data with: all_reduce, all_gather, "
		"reduce_scatter, send and receive. RCCL is AMD's, HCCL Huawei's. 'traceq comms' "
		"has its collectives, 'traceq hang' the dumps of PyTorch's flight recorder."),
	TERM("algbw", "algorithm bandwidth",
		"Algorithm bandwidth: the bytes of a collective over the time it took. Column "
		"algbw of 'traceq comms'.",
		"nccl-tests, doc/PERFORMANCE.md"),
	TERM("busbw", "bus bandwidth",
		"Bus bandwidth: algbw times what each link has to carry of a byte, which is "
		"2(n-1)/n for all_reduce of n ranks, (n-1)/n for all_gather and reduce_scatter, 1 "
		"for broadcast. It can be held against what the links can do.",
		"nccl-tests, doc/PERFORMANCE.md"),
	OWN_TERM("data parallel", "dp|ddp|fsdp",
		"Each rank has all of the model (DDP) or a shard of it (FSDP) and a part of the "
		"batch; gradients are reduced over the ranks once per step."),
	OWN_TERM("tensor parallel", "tp|sequence parallel",
		"The matrices of a layer are split over ranks, which exchange activations within "
		"each layer: many short collectives on the critical path."),
	OWN_TERM("pipeline parallel", "pp|pipeline bubble",
		"Ranks hold successive layers and pass micro-batches on. A bubble is the time in "
		"which a stage waits for the first or the last of them."),
	OWN_TERM("expert parallel", "ep|moe",
		"Ranks hold different experts, and tokens travel to theirs and back (all_to_all). "
		"A rank that gets more tokens makes the others wait."),

	/* memory and number formats */
	TERM("pageable", "pinned|page-locked|pin_memory",
		"Host memory as the program got it. The driver stages copies from and to it, which "
		"is slow and holds the host up. Pinned (page-locked) memory is copied by the GPU "
		"itself, beside computing: pin_memory=True and non_blocking=True.",
		"CUDA Programming Guide, Page-Locked Host Memory"),
	OWN_TERM("amp", "mixed precision|autocast|torch.autocast",
		"Automatic mixed precision: matrix products in bf16 or fp16, on tensor cores, what "
		"needs the range in fp32. torch.autocast; fp16 needs a GradScaler as well."),
	OWN_TERM("bf16", "bfloat16|fp16|float16|half",
		"Numbers of 16 bits: bf16 has the range of fp32 and 8 bits of mantissa, fp16 more "
		"digits and less range. Tensor cores multiply both at the same speed, at several "
		"times that of fp32."),
	OWN_TERM("tf32", "tensor float 32",
		"fp32 whose products are rounded to 10 bits of mantissa, on tensor cores: "
		"torch.backends.cuda.matmul.allow_tf32, or set_float32_matmul_precision('high')."),

	/* serving */
	OWN_TERM("TTFT", "time to first token",
		"From the arrival of a request to its first token: waiting in the queue, then "
		"prefill. In logs and results of benchmarks: 'traceq metrics'."),
	OWN_TERM("ITL", "tpot|inter-token latency|time per output token",
		"The time between two tokens of a request (ITL), or its mean over the request "
		"without the first token (TPOT): one step of decoding."),
	OWN_TERM("prefill", "prompt processing",
		"The pass over all tokens of a prompt at once: large matrix products, bound by "
		"computing. Its end is the first token."),
	OWN_TERM("decode", "decoding|generation",
		"One pass for each further token, of many requests together: small matrix "
		"products, bound by reading weights and KV cache from memory."),
	OWN_TERM("KV cache", "kv_cache|prefix cache",
		"Keys and values of the tokens so far, which decoding reads instead of computing "
		"them again. When it is full, requests wait or are preempted."),

	/* torch's sort keys */
	TERM("sort key",
		"self_device_time_total|self_cuda_time_total|self_xpu_time_total|"
		"self_cpu_time_total|cpu_time_total|cuda_time_total|xpu_time_total|"
		"device_time_total|cpu_time|cuda_time|xpu_time|device_time|count",
		"The names that torch's table(sort_by=) takes. self_X_time_total is the sum of "
		"self times, X_time_total that of total times, X_time the average of total times "
		"by call, count the number of calls; X is cpu, or device, for which cuda and xpu "
		"are other words.",
		TORCH ", EventList.table"),
};

const struct glossary_entry *glossary_all(size_t *n)
{
	*n = COUNT_OF(entries);
	return entries;
}
