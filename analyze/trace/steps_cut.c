/*
 * Steps of a cut: those that its note says, as they were in the whole.
 */
#include <string.h>

#include "analyze/trace/cutnote.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/zeroed.h"

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
	size_t i;

	for (i = 0; i < ev->n; i++) {
		uint32_t at = may_mark(r, i) ? steps_at(s, ev->start[i]) : NO_ROW;
		struct step *step = at == NO_ROW ? NULL : &s->step[at];

		if (!step || step->mark_plus_1 || ev->start[i] != step->host_start ||
			events_end(ev, i) != step->host_end)
			continue;
		step->mark_plus_1 = (uint32_t)i + 1;
	}
}

void steps_take_cut(const struct run *r, struct steps *s)
{
	const struct steps *note = r->cut->steps;

	*s = *note;
	s->step = zeroed(note->n, sizeof(*s->step));
	memcpy(s->step, note->step, note->n * sizeof(*s->step));
	find_rows(r, s);
}

void steps_mark_cut_off(const struct run *r, struct steps *s)
{
	size_t i, k;

	for (i = 0; i < s->n; i++) {
		struct step *step = &s->step[i];
		bool whole = false;

		for (k = 0; k < r->cut->ntime; k++)
			whole |= step->host_start >= r->cut->time[k].start &&
				step->host_end <= r->cut->time[k].end;
		step->incomplete |= !whole;
	}
}
