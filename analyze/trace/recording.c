/*
 * Words by the profiler that made the trace; of those that are not known, PyTorch's.
 */
#include "analyze/trace/recording.h"

#include "analyze/trace/run.h"
#include "base/compiler.h"

enum { BY_TORCH, BY_PERFETTO, BY_NSYS, BY_ROCPROF, BY_XLA, BY_COUNT };

/* Which words a producer's traces take; of those that fit the first. */
static const struct {
	const char *begins;
	int by;
} producers[] = { { "PyTorch (Perfetto)", BY_PERFETTO }, { "Nsight Systems", BY_NSYS },
	{ "rocprofv3", BY_ROCPROF }, { "JAX/", BY_XLA } };

const char *recording_word(const struct run *r, enum recording what)
{
	static const char *const words[RECORDING_COUNT][BY_COUNT] = {
#define X(name, torch, perfetto, nsys, rocprof, xla) \
	{ (torch), (perfetto), (nsys), (rocprof), (xla) },
		RECORDINGS(X)
#undef X
	};
	struct span producer = strings_get(&r->strings, r->meta.producer);
	size_t i;

	for (i = 0; i < COUNT_OF(producers); i++)
		if (span_starts(producer, producers[i].begins))
			return words[what][producers[i].by];
	return words[what][BY_TORCH];
}
