/*
 * Steps: the order in which they are made.
 *
 * `name` is the sym of the first step's event: a finished run takes no new names.
 */
#include "analyze/trace/run_steps.h"

#include <stdlib.h>

#include "analyze/trace/cutnote.h"
#include "analyze/trace/run.h"
#include "analyze/trace/steps_parts.h"
#include "base/zeroed.h"

/* How many events the steps had in the whole: the cut's are the same but for the kinds it left out.
 */
static void restore_counts(const struct run *r, struct steps *s)
{
	size_t i;

	for (i = 0; r->links && i < s->n; i++)
		s->step[i].ndevice = r->cut->steps->step[i].ndevice;
}

struct steps *steps_build(const struct run *r)
{
	struct steps *s = zeroed(1, sizeof(*s));
	uint32_t row;

	if (r->cut && r->cut->steps)
		steps_take_cut(r, s);
	else
		steps_find_profiler(r, s);
	if (s->n == 0) {
		s->source = STEPS_ANNOTATION;
		steps_find_annotation(r, s);
	}
	if (s->n == 0) {
		s->source = STEPS_WHOLE;
		steps_take_whole(r, s);
	}
	if (s->n > 0 && step_event(&s->step[0], &row))
		s->name = r->events.name[row];
	steps_assign_device(r, s);
	if (r->cut && r->cut->steps) {
		restore_counts(r, s);
		return s;
	}
	if (r->links) {
		steps_mark_incomplete(s);
		steps_cut_on_device(r, s);
	}
	if (r->cut && s->source != STEPS_WHOLE)
		steps_mark_cut_off(r, s);
	return s;
}

bool step_event(const struct step *s, uint32_t *row)
{
	*row = s->mark_plus_1 - 1;
	return s->mark_plus_1 != 0;
}

bool step_lane(const struct run *r, const struct step *s, uint32_t *lane)
{
	uint32_t row;

	if (!step_event(s, &row))
		return false;
	*lane = r->events.lane[row];
	return true;
}

struct span step_name(const struct run *r, const struct step *s)
{
	uint32_t row;

	return step_event(s, &row) ? run_name(r, row) : SPAN("");
}

const struct lane *step_thread(const struct run *r, const struct step *s)
{
	uint32_t lane;

	return step_lane(r, s, &lane) ? &r->lanes.lane[lane] : NULL;
}

bool steps_lane(const struct run *r, uint32_t *lane)
{
	size_t i;

	for (i = 0; r->steps && i < r->steps->n; i++)
		if (step_lane(r, &r->steps->step[i], lane))
			return true;
	return false;
}

void steps_free(struct steps *s)
{
	if (!s)
		return;
	free(s->step);
	free(s->of_device);
	free(s);
}
