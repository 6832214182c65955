/* What PyTorch writes into ranges of NVTX and ROCTx (torch.autograd.profiler.emit_nvtx): "aten::mm,
 * seq = 12, op_id = 34, sizes = [[16, 64], [64, 32]], input_op_ids = [(33,0)]". Source:
 * torch/csrc/profiler/util.cpp, getNvtxStr. */
#pragma once

#include "base/base.h"

struct torch_range {
	struct span name;  /* without what stands behind it */
	struct span sizes; /* "[[16, 64], []]"; p NULL: there are none */
	int64_t sequence;  /* -1: none */
	bool is_op;        /* an operator, no region of a person's */
};

/* Spans point into the text. */
struct torch_range torch_range_read(struct span text);
