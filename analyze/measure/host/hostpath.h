/* Host paths: what a thread was in at a moment, from the innermost call outwards.
 *
 * A moment is found by search in the host order, and its path by following parents (trace/calls.h).
 * Questions that come in the order of time, for each lane, are cheap: the search starts where the
 * last one ended. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct calls;
struct run;

struct hostpath {
	const struct run *run;
	const struct calls *calls;
	struct calls *own; /* where the run has none; else NULL */
	struct hostpath_last {
		size_t place;    /* that the last search ended at */
		uint32_t answer; /* the open call from there upwards, at time t; or NO_ROW */
		nsec t;
	} * last; /* by lane */
};

/* Needs r->order; makes the calls where the run has none.  O(n).  Released by hostpath_clear. */
void hostpath_init(struct hostpath *h, const struct run *r);
void hostpath_clear(struct hostpath *h);

/* The place of the innermost call of that lane that is open at time t (start <= t < end), or
 * NO_ROW.  O(log of the rows since the last question), and O(depth) where it is another row. */
uint32_t hostpath_at(struct hostpath *h, uint32_t lane, nsec t);

/* Until when the answer of hostpath_at(lane, t), which was the last question about that lane,
 * stays the same, at most `end`: the end of that call, or the start of the next. */
nsec hostpath_until(const struct hostpath *h, uint32_t lane, uint32_t place, nsec t, nsec end);

/* The place of the call around the one at `place`, or NO_ROW. */
uint32_t hostpath_up(const struct hostpath *h, uint32_t place);

/* The event row at a place. */
uint32_t hostpath_row(const struct hostpath *h, uint32_t place);

/* The place of the innermost call of that lane that covers more than half of [start, end), or
 * NO_ROW. Such a call contains the middle, so only the path there is looked at. */
uint32_t hostpath_covering(struct hostpath *h, uint32_t lane, nsec start, nsec end);

/*
 * Whether calls start in steps, for who goes over order->host by place: rows of a lane are sorted
 * by start, so the answer is found for a stretch of places at a time, and rows are not looked at.
 */

struct filter_view;

struct host_steps {
	const struct run *run;
	const bool *step; /* by step: those that count; NULL: all */
	size_t end;       /* places before it have the answer */
	bool is_in;
};

/* in_view: the steps v takes; without --steps everything is in them, as for filter_host, whose
 * --cat does not matter here.  Needs order and steps. */
void host_steps_in_view(struct host_steps *h, const struct filter_view *v);

/* The rest of the one below, at the end of a stretch. */
void host_steps_look(struct host_steps *h, size_t place);

/* Places ascend. */
HOT_INLINE bool host_steps_have(struct host_steps *h, size_t place)
{
	if (UNLIKELY(place >= h->end))
		host_steps_look(h, place);
	return h->is_in;
}
