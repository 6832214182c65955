/* What scenarios are asked. */
#include "analyze/depgraph/scenario.h"

#include "base/words.h"

WORDS(change_word, enum change_kind, CHANGES, 2)

WORDS(change_what, enum change_kind, CHANGES, 3)

enum host_group change_group(enum change_kind k)
{
	switch (k) {
	case CHANGE_DATA: return GROUP_DATA;
	case CHANGE_ALLOCATOR: return GROUP_ALLOCATOR;
	case CHANGE_CHECKPOINT: return GROUP_CHECKPOINT;
	case CHANGE_LOGGING: return GROUP_LOGGING;
	case CHANGE_GC: return GROUP_GC;
	default: return GROUP_COUNT;
	}
}

bool scenario_hides(const struct scenario *s)
{
	return ANY(i, s->n, s->change[i].kind == CHANGE_COMM && s->change[i].is_hidden);
}

bool scenario_in_order(const struct scenario *s)
{
	return !s->apart && !scenario_hides(s);
}
