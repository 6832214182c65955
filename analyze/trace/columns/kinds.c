/* Category texts to kinds.  The table is searched linearly: a file has some twenty distinct texts
 * and the decoder asks once for each of them and window. */
#include "analyze/trace/columns/kinds.h"

static const char *const words[KIND_COUNT] = {
#define X(name, word) word,
	KINDS(X)
#undef X
};

static const struct meaning spellings[] = {
	{ span_in_nocase, "cpu_op|operator|hpu_op", KIND_OP },
	{ span_in_nocase, "kernel|gpu_op|mtia_ccp_events|collective_comm", KIND_KERNEL },
	{ span_in_nocase, "gpu_memcpy|memcpy", KIND_MEMCPY },
	{ span_in_nocase, "gpu_memset|memset", KIND_MEMSET },
	{ span_in_nocase,
		"cuda_runtime|cuda_driver|runtime|driver|hip_runtime|xpu_runtime|xpu_driver|"
		"mtia_runtime|glow_runtime|privateuse1_runtime|privateuse1_driver",
		KIND_RUNTIME },
	{ span_in_nocase, "user_annotation", KIND_ANNOTATION },
	{ span_in_nocase, "gpu_user_annotation", KIND_GPU_ANNOTATION },
	{ span_in_nocase, "python_function|pythonfunction|python", KIND_PYTHON },
	{ span_in_nocase, "cuda_sync|xpu_sync", KIND_SYNC },
	{ span_in_nocase, "cuda_event|cuda_profiler_range", KIND_GPU_EVENT },
	{ span_in_nocase, "overhead", KIND_OVERHEAD },
	{ span_in_nocase, "trace", KIND_SPAN },
};

const char *kind_word(enum kind k)
{
	return words[k];
}

enum kind kind_of_cat(struct span cat)
{
	return (enum kind)MEANING_OF(cat, spellings, KIND_OTHER);
}

enum kind kind_refine(enum kind k, struct span name)
{
	if (name.n && name.p[0] == '[' &&
		(span_is(name, "[memory]") || span_is(name, "[OutOfMemory]")))
		return KIND_MEMORY;
	return k;
}
