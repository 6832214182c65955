/*
 * Category texts to kinds.  The table is searched linearly: a file has some twenty distinct texts
 * and the decoder asks once for each of them and window.
 */
#include "analyze/trace/columns/kinds.h"

static const char *const words[KIND_COUNT] = {
#define X(name, word) word,
	KINDS(X)
#undef X
};

struct spelling {
	const char *cat;
	enum kind kind;
};

static const struct spelling spellings[] = {
	{ "cpu_op", KIND_OP },
	{ "operator", KIND_OP },
	{ "hpu_op", KIND_OP },
	{ "kernel", KIND_KERNEL },
	{ "mtia_ccp_events", KIND_KERNEL },
	{ "collective_comm", KIND_KERNEL },
	{ "gpu_memcpy", KIND_MEMCPY },
	{ "memcpy", KIND_MEMCPY },
	{ "gpu_memset", KIND_MEMSET },
	{ "memset", KIND_MEMSET },
	{ "cuda_runtime", KIND_RUNTIME },
	{ "cuda_driver", KIND_RUNTIME },
	{ "runtime", KIND_RUNTIME },
	{ "driver", KIND_RUNTIME },
	{ "hip_runtime", KIND_RUNTIME },
	{ "xpu_runtime", KIND_RUNTIME },
	{ "xpu_driver", KIND_RUNTIME },
	{ "mtia_runtime", KIND_RUNTIME },
	{ "glow_runtime", KIND_RUNTIME },
	{ "privateuse1_runtime", KIND_RUNTIME },
	{ "privateuse1_driver", KIND_RUNTIME },
	{ "user_annotation", KIND_ANNOTATION },
	{ "gpu_user_annotation", KIND_GPU_ANNOTATION },
	{ "python_function", KIND_PYTHON },
	{ "pythonfunction", KIND_PYTHON },
	{ "python", KIND_PYTHON },
	{ "cuda_sync", KIND_SYNC },
	{ "xpu_sync", KIND_SYNC },
	{ "cuda_event", KIND_GPU_EVENT },
	{ "cuda_profiler_range", KIND_GPU_EVENT },
	{ "overhead", KIND_OVERHEAD },
	{ "trace", KIND_SPAN },
};

const char *kind_word(enum kind k)
{
	return words[k];
}

enum kind kind_of_cat(struct span cat)
{
	for (size_t i = 0; i < COUNT_OF(spellings); i++)
		if (span_is_nocase(cat, spellings[i].cat))
			return spellings[i].kind;
	return KIND_OTHER;
}

enum kind kind_refine(enum kind k, struct span name)
{
	if (name.n && name.p[0] == '[' &&
		(span_is(name, "[memory]") || span_is(name, "[OutOfMemory]")))
		return KIND_MEMORY;
	return k;
}
