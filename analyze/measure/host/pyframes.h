/* Python frames: the functions a thread was in at a moment, from the innermost outwards.
 *
 * As hostpath.h, of Python functions alone, and of those that last FUNCTION_MIN_NS or more: shorter
 * ones explain nothing, and are most of a recording with stacks.  A lane's functions are
 * put in order when it is first asked about.  Without Python functions among the rows there are
 * none: NEED_FUNCTIONS. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "analyze/trace/run.h"
#include "base/base.h"

struct pyframes {
	const struct run *run;
	struct arena *mem;
	uint32_t *row;     /* functions by lane, then by start, the longest first */
	uint32_t *parent;  /* the same: the function around it, or NO_ROW */
	uint8_t *says;     /* the asker's own */
	size_t *begin;     /* by lane; NULL: no functions */
	uint8_t *is_ready; /* by lane: its functions are in order */
};

/* O(events) where there are Python functions.  Memory is the arena's. */
void pyframes_init(struct pyframes *p, const struct run *r, struct arena *mem);

/* The innermost function of that lane that is open at t, or NO_ROW; *until: to when it stays so, at
 * most what it was.  O(log n + depth). */
uint32_t pyframes_at(struct pyframes *p, uint32_t lane, nsec t, nsec *until);

/* The functions of a lane, for who goes over them: places from *begin on, before *end. */
void pyframes_of(struct pyframes *p, uint32_t lane, size_t *begin, size_t *end);

/* Whether a function began within a call: of both it is the innermost. */
static inline bool pyframes_is_inside(const struct pyframes *p, uint32_t row, uint32_t call)
{
	const struct events *ev = &p->run->events;

	return ev->start[row] > ev->start[call] ||
		(ev->start[row] == ev->start[call] && ev->dur[row] < ev->dur[call]);
}

/* Appends a function's name without the addresses of objects: "<built-in method encode of str
 * object at 0x7f60>" is the same function as at another. */
void pyframes_put_name(struct str *out, struct span name);

/* The innermost that covers more than half of [start, end), or NO_ROW. */
uint32_t pyframes_covering(struct pyframes *p, uint32_t lane, nsec start, nsec end);
