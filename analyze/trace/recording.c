/*
 * Words by the profiler that made the trace; of those that are not known, PyTorch's.
 */
#include "analyze/trace/recording.h"

#include "analyze/trace/run.h"

const char *recording_word(const struct run *r, enum recording what)
{
	static const char *const words[RECORDING_COUNT][2] = {
#define X(name, torch, nsys) { torch, nsys },
		RECORDINGS(X)
#undef X
	};
	struct span producer = strings_get(&r->strings, r->meta.producer);

	return words[what][span_is(producer, "Nsight Systems")];
}
