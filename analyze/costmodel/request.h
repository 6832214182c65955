/* What servers write around a step: how many tokens of how many requests it is about.
 *
 *	execute_8192_context_9(sq8155sk8430sqsq7475785sqsk7671310)
 *		_generation_37(sq37sk34489sqsq37sqsk34489)
 *
 * sq is the sum of new tokens, sk of all that they see, sqsq and sqsk of their products, request by
 * request: the lengths that attention needs.  Source: vLLM, gpu_model_runner.py (vllm#45069). */
#pragma once

#include "base/base.h"

struct roof_request {
	struct roof_lengths {
		int64_t q, k, qq, qk;
	} prompt, decode; /* context and generation */
};

/* False: the text has no such sums. */
bool roof_request_read(struct span annotation, struct roof_request *r);

/* Whether a name has them, by its look. */
bool roof_request_is(struct span name);
