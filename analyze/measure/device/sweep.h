/* Sweep: the rows of several lanes in the order of their starts.
 *
 * The lanes are sorted already, so this is a merge: a heap of one cursor a lane. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct run;

struct sweep_cursor {
	const uint32_t *at, *end;
	nsec start; /* of row *at; not kept up where no other lane is left */
};

struct sweep {
	const struct run *run;
	struct sweep_cursor *heap; /* the earliest start first, ties by row */
	size_t n;
};

/* All device rows of `device`, all streams.  Needs r->order; memory is the arena's. */
void sweep_device(struct sweep *s, const struct run *r, int64_t device, struct arena *mem);

/* The rest of the one below: the first lane is at its end; several lanes. */
void sweep_leave(struct sweep *s);
void sweep_sift(struct sweep *s);

/* The next row by start; false at the end.  O(log lanes).  Inline: most devices have one stream
 * with work, whose rows need no merging. */
static inline bool sweep_next(struct sweep *s, uint32_t *row)
{
	struct sweep_cursor *top = s->heap;

	if (UNLIKELY(s->n == 0))
		return false;
	*row = *top->at++;
	if (UNLIKELY(top->at == top->end))
		sweep_leave(s);
	else if (s->n > 1)
		sweep_sift(s);
	return true;
}

/* The length of a union of intervals, fed by start: what overlaps counts once.  Start with
 * SWEEP_UNION. */
struct sweep_union {
	nsec end;  /* of what was seen so far */
	nsec busy; /* ns covered */
};
#define SWEEP_UNION ((struct sweep_union){ INT64_MIN, 0 })

void sweep_cover(struct sweep_union *u, nsec start, nsec end);
