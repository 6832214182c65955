/* Steps of a job: those that all ranks of a run have counted, by number.
 *
 * A job's step is as long as its slowest rank's: the others wait for it sooner or later. */
#pragma once

#include "analyze/job/digest/digest.h"
#include "base/base.h"

struct side_run;

struct jobsteps {
	const struct digest_step **step; /* those of a step beside each other, by rank */
	size_t n, nrank;                 /* nrank: the run's traces; 0: it has none, and n is 0 */
};

/* The steps are those of the digests.  Memory is the arena's.  O(steps x ranks). */
void jobsteps_init(struct jobsteps *j, const struct side_run *run, struct arena *mem);

/* Step i of the rank at that place. */
const struct digest_step *jobsteps_at(const struct jobsteps *j, size_t i, size_t rank);

/* By step: it is not as the usual ones are (analyze/stat/exceptions.h).  Memory is the arena's. */
bool *jobsteps_odd(const struct jobsteps *j, struct arena *mem);

/* The place of the rank that takes longest for step i; the first of equals. */
size_t jobsteps_slowest(const struct jobsteps *j, size_t i);
