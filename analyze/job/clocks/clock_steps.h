/* Clocks that are set while the job runs (clock_steps.c says how that is seen). */
#pragma once

#include "analyze/job/job.h"
#include "base/base.h"

/* Ends of one collective on the two clocks of an edge. */
struct clock_point {
	nsec own, other;
};

/* Two ranks that met: `own` times are b's, ascending. */
struct clock_edge {
	uint32_t a, b; /* places in job.rank */
	struct clock_point *point;
	size_t n;
};

/* Finds when each rank's clock was set, CLOCK_SETS times at most, and sets the points behind back.
 * Scratch is the arena's.  O(points). */
void clock_steps(struct job *j, struct clock_edge *e, size_t n, struct arena *mem);

/* A time of a clock as it would be, had it not been set. */
nsec clock_step_back(const struct job_clock *c, nsec own);
