/* Servers of models: what of a batch the name of an annotation says.
 *
 *	vLLM           execute_context_1(512)_generation_8(8), execute_12(3)
 *	vLLM           execute_new_1_cached_8, gpu_model_runner: forward
 *	SGLang         step[EXTEND bs=1 toks=512], step[DECODE bs=8], run_batch
 *	SGLang         forward_extend, forward_decode
 *	TensorRT-LLM   [Executor] _forward_step 7: 1 ctx reqs, 8 gen reqs
 *	TGI            Prefill, Decode
 *
 * A batch in which any request is new is a prefill, whatever others decode in it. */
#pragma once

#include "base/base.h"

enum serving { SERVING_NONE, SERVING_BATCH, SERVING_PREFILL, SERVING_DECODE };

/* BATCH: it is one, and does not say which. */
enum serving serving_of(struct span name);

/* What names of batches of one server have in common, in place of a pattern of the whole name;
 * empty for any other name. */
struct span serving_family(struct span name);
