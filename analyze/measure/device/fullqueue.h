/* The full queue: launching calls that had to wait until the device had ended an earlier launch.
 *
 * A device, or each of its streams, takes a bounded number of launches (a graph is one); some 1,024
 * on NVIDIA.  The bound is taken for one only where it shows: ten calls or more took far longer
 * than usual, and returned just as work ended, with a number of launches outstanding that is the
 * same within a twentieth, and is not small.  So what else holds up a launch (a module that is
 * loaded) is none.
 *
 *	  thread   [n-1][n......................)[n+1
 *	  stream   ---- n-Q ...................)[ n-Q+1 */
#pragma once

#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct run;

struct full_queue {
	uint32_t depth;   /* launches that may be outstanding; 0: no bound shows */
	bool is_streams;  /* on a stream; else on a GPU */
	nsec usual;       /* what a launching call takes: the median */
	int64_t held;     /* calls that waited */
	nsec held_ns;     /* what they took longer than usual */
	uint32_t *behind; /* by launch side row: the work that has to end before the call returns,
	                     or NO_ROW; NULL where there is no bound */
	bool *is_held;    /* by launch side row: it waited for that */
};

/* Needs order and links; memory is the arena's.  O(n), but where ten calls took long O(n log n) in
 * launches. */
void full_queue_init(struct full_queue *q, const struct run *r, struct arena *mem);

/* Whether a launching call waited. */
bool full_queue_held(const struct full_queue *q, const struct run *r, uint32_t row);
