/* Threads: the moments of one host lane that may become nodes, in the order of time.
 *
 * A thread is busy from the start of a call that is no region until that and all it overlaps have
 * ended; such stretches are followed only where several threads work (`hands_over`). */
#pragma once

#include "analyze/depgraph/nodes.h"
#include "analyze/depgraph/hosttime.h"
#include "analyze/measure/interval.h"
#include "base/base.h"

/* What happens next on a lane. */
struct moment {
	nsec at; /* INT64_MAX: nothing, any more */
	uint32_t row;
	uint8_t point; /* enum node_point; POINT_RETURN: a call that may have waited ends;
	                  POINT_RESUME: a thread gets busy; POINT_WORK: device work starts */
};

struct thread_end {
	nsec at;
	uint32_t row;
	size_t place; /* of those that end together the one that began last is the first */
};

struct thread {
	struct moment next;
	uint32_t lane;
	size_t place, place_end; /* in order->host; for device lanes in order->device */
	bool is_device, hands_over;
	bool is_busy, has_launch; /* has_launch: the call at `place` is one, and the next moment */
	nsec busy_until;
	struct thread_end *end; /* calls that may wait and have not ended: a heap */
	size_t nend, cap_end;
	size_t mark, mark_end; /* in marks */
};

/* Marks of steps, by lane and time. */
struct mark {
	nsec at;
	uint32_t lane;
	uint32_t id; /* node.row */
};

struct threads {
	const struct run *run;
	struct hostwhat *what;
	struct thread *v; /* by lane; those without anything are there, too */
	size_t n;
	struct mark *marks;
	size_t nmark;
	bool all_return;
	uint32_t *heap; /* lanes, the next moment first */
	size_t nheap;
};

/* all_return: launches end in a moment of their own, also where they do not copy.  when: NULL, or
 * the time that moments are in, and before it those of calls that are open at its begin. */
void threads_init(struct threads *t, const struct run *r, struct hostwhat *w, bool all_return,
	const struct interval *when);
void threads_clear(struct threads *t);

/* The lane whose moment is the next of all; NULL: there is none.  O(log lanes). */
struct thread *threads_first(struct threads *t);
/* Goes on behind that moment. */
void threads_pass(struct threads *t);
