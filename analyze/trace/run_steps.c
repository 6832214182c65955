/* Steps: the order in which they are made.
 *
 * `name` is the sym of the first step's event: a finished run takes no new names. */
#include "analyze/trace/run_steps.h"

#include "analyze/trace/cutnote.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/steps_parts.h"

/* ---- steps of a cut: those that its note says, as they were in the whole ---- */

/* Old traces mark steps by operators. */
static bool may_mark(const struct run *r, size_t row)
{
	return r->events.kind[row] == KIND_ANNOTATION ||
		(r->events.kind[row] == KIND_OP && span_starts(run_name(r, row), "ProfilerStep"));
}

/* The rows of marks, by when they are. */
static void find_rows(const struct run *r, struct steps *s)
{
	const struct events *ev = &r->events;

	for (size_t i = 0; i < ev->n; i++) {
		uint32_t at = may_mark(r, i) ? steps_at(s, ev->start[i]) : NO_ROW;
		struct step *step = at == NO_ROW ? NULL : &s->step[at];

		if (!step || step->mark_plus_1 || ev->start[i] != step->host_start ||
			events_end(ev, i) != step->host_end)
			continue;
		step->mark_plus_1 = (uint32_t)i + 1;
	}
}

/* run_steps.c: the steps of r as its note says; s: zero but for what steps_free frees. */
static void steps_take_cut(const struct run *r, struct steps *s)
{
	const struct steps *note = r->cut->steps;

	*s = *note;
	s->step = zeroed(note->n, sizeof(*s->step));
	memcpy(s->step, note->step, note->n * sizeof(*s->step));
	find_rows(r, s);
}

/* Steps that are not whole in the cut are incomplete. */
static void steps_mark_cut_off(const struct run *r, struct steps *s)
{
	for (EACH(struct step, step, s->step, s->n)) {
		bool whole = false;

		for (EACH(const struct cut_time, time, r->cut->time, r->cut->ntime))
			whole |= step->host_start >= time->start && step->host_end <= time->end;
		if (!whole && step->incomplete == STEP_IS_WHOLE)
			step->incomplete = STEP_LOOKS_CUT_OFF;
	}
}

/* ---- steps of a run ---- */

/* What annotations on the thread of the steps say of batches: the first in a step that says which.
 */
static void find_batches(const struct run *r, struct steps *s)
{
	uint8_t *known = zeroed(r->strings.n, sizeof(*known)); /* by sym: 1 + enum serving */
	uint32_t lane = 0, last = NO_ROW;
	bool has_lane =
		s->source == STEPS_ANNOTATION && s->n > 0 && step_lane(r, &s->step[0], &lane);
	size_t end = has_lane ? r->order->host_begin[lane + 1] : 0;

	for (size_t i = has_lane ? r->order->host_begin[lane] : 0; i < end; i++) {
		uint32_t row = r->order->host[i];
		uint8_t *is = &known[r->events.name[row]];

		if (r->events.kind[row] != KIND_ANNOTATION)
			continue;
		if (!*is)
			*is = (uint8_t)(1 + serving_of(run_name(r, row)));
		last = *is > 1 ? steps_near(s, r->events.start[row], last) : last;
		if (*is == 1 || last == NO_ROW || s->step[last].serving >= SERVING_PREFILL)
			continue;
		s->step[last].serving = (enum serving)(*is - 1);
		s->is_serving = true;
	}
	free(known);
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
	find_batches(r, s);
	steps_assign_device(r, s);
	if (r->cut && r->cut->steps) {
		/* How many events the steps had in the whole: the cut's are the same but for the
		 * kinds it left out.
		 */
		for (size_t i = 0; r->links && i < s->n; i++)
			s->step[i].ndevice = r->cut->steps->step[i].ndevice;
		return s;
	}
	if (r->links) {
		steps_mark_incomplete(r, s);
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
	return r->steps && ANY(i, r->steps->n, step_lane(r, &r->steps->step[i], lane));
}

void steps_free(struct steps *s)
{
	if (!s)
		return;
	FREE_ALL(s->step, s->of_device, s);
}
