/*
 * Steps: the order in which they are made.
 *
 * `name` is the sym of the first step's event: a finished run takes no new names.
 */
#include "analyze/trace/steps.h"

#include <stdlib.h>

#include "analyze/trace/run.h"
#include "analyze/trace/steps_parts.h"
#include "base/zeroed.h"

struct steps *steps_build(const struct run *r)
{
	struct steps *s = zeroed(1, sizeof(*s));

	steps_find_profiler(r, s);
	if (s->n == 0) {
		s->source = STEPS_ANNOTATION;
		steps_find_annotation(r, s);
	}
	if (s->n == 0) {
		s->source = STEPS_WHOLE;
		steps_take_whole(r, s);
	}
	if (s->n > 0 && s->step[0].row != NO_ROW)
		s->name = r->events.name[s->step[0].row];
	steps_assign_device(r, s);
	if (r->links) {
		steps_mark_incomplete(s);
		steps_cut_on_device(r, s);
	}
	return s;
}

void steps_free(struct steps *s)
{
	if (!s)
		return;
	free(s->step);
	free(s->of_device);
	free(s);
}
