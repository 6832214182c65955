/* The list of sinks. */
#include "report/sink/sink.h"

static const struct sink *const sinks[] = {
#define X(name, help) &sink_##name,
	SINKS(X)
#undef X
};

const struct sink *const *sink_all(size_t *n)
{
	*n = COUNT_OF(sinks);
	return sinks;
}
