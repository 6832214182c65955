/* What a trace of a capture says: the graphs that were captured in it, the launches of each in
 * order, and the calls each of them was made in.
 *
 *	StreamBeginCapture            StreamEndCapture
 *	       |   aten::linear [----------]   |
 *	       |     aten::mm   [-----]        |     one launch, in aten::mm, in aten::linear
 *	       |       LaunchKernel [-]        |
 *
 * Source: CUDA programming guide, stream capture.  The trace is PyTorch's, taken while
 * torch.cuda.graph, vLLM or SGLang captured. */
#pragma once

#include "analyze/trace/columns/args.h"
#include "base/base.h"

struct run;

/* A call that began inside a capture and made a launch; those around it stand before it. */
struct captured_call {
	uint32_t row; /* of the run */
	uint32_t up;  /* index of the call around it, or NO_ROW */
};

struct captured_launch {
	uint32_t row;
	uint32_t call; /* index of the innermost call around it, or NO_ROW */
	uint32_t graph;
	uint32_t kind; /* KIND_KERNEL, KIND_MEMCPY or KIND_MEMSET */
};

struct captured_graph {
	uint32_t row;    /* of StreamBeginCapture */
	size_t begin, n; /* its launches, in order */
	int64_t size;    /* the batch it was captured for: captured_size; -1: not known */
	uint64_t calls;  /* a hash of the calls around its launches: names, shapes, modules */
};

struct captured {
	const struct run *run;
	struct captured_call *call;
	size_t ncall, call_cap;
	struct captured_launch *launch;
	size_t nlaunch, launch_cap;
	struct captured_graph *graph; /* in the order of capture */
	size_t ngraph, graph_cap;
	struct arena mem;
};

/* What the run has to be loaded with; more than that is taken from it where it is there. */
#define CAPTURED_NEEDS (NEED_GRAPHS | NEED_ORDER | NEED_LINKS)

/* Needs order and links.  The run is borrowed.  O(n log n).  Released by captured_clear. */
void captured_init(struct captured *c, const struct run *r);
void captured_clear(struct captured *c);

/*
 * Tokens or sequences that an annotation names: "capture_8192_PIECEWISE",
 * "execute_8192_context_9(...)...", "execute_context_2(5)_generation_3(3)" (their sum); -1: none.
 */
int64_t captured_size(struct span annotation);
