/*
 * Facts: sums of events, with the longest of them.
 */
#include "analyze/answer/diagnose/facts.h"

#include "analyze/trace/run.h"
#include "base/saturate.h"

void facts_add(struct facts_sum *s, const struct run *r, uint32_t row)
{
	nsec dur = r->events.dur[row];

	if (s->count == 0 || dur > r->events.dur[s->row])
		s->row = row;
	s->count++;
	saturate_onto(&s->ns, dur);
}
