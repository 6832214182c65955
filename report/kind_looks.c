/*
 * The list of kinds, as data.
 */
#include "report/kind_looks.h"

#include "base/compiler.h"

static const struct work_kind kinds[] = {
	{ "compute", 'C', COLOR_COMPUTE, true },
	{ "comm", 'X', COLOR_COMM, true },
	{ "copy", 'M', COLOR_COPY, true },
	{ "CPU op", 'O', COLOR_HOST, false },
	{ "runtime call", 'R', COLOR_EIGHTH, false },
	{ "launch", 'L', COLOR_EIGHTH, false },
	{ "sync", 'S', COLOR_OTHER, false },
	{ "data loader", 'D', COLOR_DATA, false },
	{ "Python", 'P', COLOR_HOST, false },
	{ "dependency", 'W', COLOR_IDLE, false },
	{ "nothing recorded", 'N', COLOR_IDLE, false },
	{ "unrecorded", 'Q', COLOR_IDLE, false },
	{ "unknown launch", 'U', COLOR_IDLE, false },
};
_Static_assert(COUNT_OF(kinds) == WORK_KINDS, "as many as the header says");

const struct work_kind *work_kinds(void)
{
	return kinds;
}

size_t work_kind_of(struct span word)
{
	size_t i = 0;

	while (i + 1 < COUNT_OF(kinds) && !span_is(word, kinds[i].word))
		i++;
	return i;
}
