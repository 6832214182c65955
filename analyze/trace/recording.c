/*
 * Words by the profiler that made the trace; of those that are not known, PyTorch's.
 */
#include "analyze/trace/recording.h"

#include "analyze/trace/producers.h"
#include "analyze/trace/run.h"

const char *recording_word(const struct run *r, enum recording what)
{
	static const char *const words[RECORDING_COUNT][RECORDERS] = {
#define X(name, torch, perfetto, nsys, rocprof, xla) \
	{ (torch), (perfetto), (nsys), (rocprof), (xla) },
		RECORDINGS(X)
#undef X
	};
	enum producer by = producer_named(strings_get(&r->strings, r->meta.producer));

	return words[what][producers[by].words];
}
