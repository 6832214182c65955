/* Producers: the table, and who is called so. */
#include "analyze/trace/producers.h"

#include "analyze/trace/makers.h"
#include "analyze/trace/run.h"

const struct producer_info producers[PRODUCER_COUNT] = {
#define KEY(text)                 { SIGN_KEY, text },
#define CATEGORY(text)            { SIGN_CATEGORY, text },
#define PROCESS(text)             { SIGN_PROCESS, text },
#define X(id, name, words, signs) [PRODUCER_##id] = { name, BY_##words, { signs{ SIGN_NONE, 0 } } },
	PRODUCERS(X)
#undef X
};

enum producer producer_named(struct span name)
{
	int i;

	for (i = 0; i < PRODUCER_OTHER; i++)
		if (span_is(name, producers[i].name))
			break;
	return (enum producer)i;
}

bool producers_know(const struct run *r)
{
	static const enum kind known[] = { KIND_OP, KIND_ANNOTATION, KIND_PYTHON, KIND_RUNTIME,
		KIND_KERNEL, KIND_MEMCPY, KIND_MEMSET };

	switch (producer_named(strings_get(&r->strings, r->meta.producer))) {
	case PRODUCER_RAY:
	case PRODUCER_NODE:
	case PRODUCER_CHROME:
	case PRODUCER_PERFETTO:
	case PRODUCER_OTHER: return ANY(i, COUNT_OF(known), r->kind_count[known[i]] > 0);
	default: return true;
	}
}

bool producers_torch(const struct run *r)
{
	enum producer by = producer_named(strings_get(&r->strings, r->meta.producer));

	if (by == PRODUCER_KINETO || by == PRODUCER_TORCH_PERFETTO || by == PRODUCER_ASCEND)
		return true;
	for (sym i = 0; i < r->strings.n; i++) {
		struct span name = strings_get(&r->strings, i);

		if (span_starts_in(name, "aten::|ProfilerStep#|nn.Module: |torch/") ||
			span_has(name, "at::native") || span_has(name, "/torch/"))
			return true;
	}
	return false;
}

const char *producers_device(const struct run *r)
{
	static const struct {
		const char *cat, *word;
	} words[] = {
		{ "xpu_runtime", "XPU" },
		{ "mtia_runtime", "MTIA" },
		{ "hpu_op", "HPU" },
		{ "privateuse1_runtime", "PRIVATEUSE1" },
	};

	for (size_t i = 0; i < r->ncat; i++)
		for (size_t k = 0; k < COUNT_OF(words); k++)
			if (span_is_nocase(strings_get(&r->strings, r->cat[i].cat), words[k].cat))
				return words[k].word;
	switch (producer_named(strings_get(&r->strings, r->meta.producer))) {
	case PRODUCER_ASCEND: return "NPU";
	case PRODUCER_UNITRACE: return "XPU";
	case PRODUCER_ROCPROF:
	case PRODUCER_ROCPROF_V1:
	case PRODUCER_ROCPROF_PERFETTO:
	case PRODUCER_XPLANE:
	case PRODUCER_JAX: return "GPU";
	default: return "CUDA";
	}
}

enum kind producers_task_kind(struct span type)
{
	static const struct meaning types[] = {
		{ span_has_in, "MEMCPY|SDMA", KIND_MEMCPY },
		{ span_has_in, "EVENT_|NOTIFY_|CAPTURE_|_WAIT|_RECORD|PLACE_HOLDER|WRITE_VALUE",
			KIND_SYNC },
	};

	return (enum kind)MEANING_OF(type, types, KIND_KERNEL);
}

/* ---- words by the profiler that made the trace ---- */

const char *recording_word(const struct run *r, enum recording what)
{
	static const char *const words[RECORDING_COUNT][RECORDERS] = {
#define X(name, torch, perfetto, nsys, rocprof, xla, other) \
	{ (torch), (perfetto), (nsys), (rocprof), (xla), (other) },
		RECORDINGS(X)
#undef X
	};
	/* Of PyTorch's profiler, by who made the devices. */
#define OWN(maker, activity, tracer, device)                                                \
	[MAKER_##maker] = {                                                                 \
		[RECORDING_WORK] = activity ", and " tracer,                                \
		[RECORDING_RUNTIME] = "ProfilerActivity.CPU and " device " together",       \
		[RECORDING_LAUNCHED] = activity " and " tracer " record what calls launch", \
		[RECORDING_CALLS] = "record it with activities=[CPU, " device "]"           \
	}
	static const char *const own[MAKER_COUNT + 1][RECORDING_COUNT] = {
		OWN(AMD, "ProfilerActivity.CUDA", "roctracer", "CUDA"),
		OWN(HABANA, "ProfilerActivity.HPU", "Synapse's profiler", "HPU"),
		OWN(INTEL, "ProfilerActivity.XPU", "PTI", "XPU"),
		OWN(ASCEND, "torch_npu.profiler.ProfilerActivity.NPU", "CANN", "NPU"),
		OWN(META, "ProfilerActivity.MTIA", "its tracer", "MTIA"),
	};
#undef OWN
	enum producer by = producer_named(strings_get(&r->strings, r->meta.producer));
	enum recorder words_of = producers[by].words;
	const char *text =
		words_of == BY_TORCH || words_of == BY_PERFETTO ? own[maker_of(r)][what] : NULL;

	return text ? text : words[what][words_of];
}
