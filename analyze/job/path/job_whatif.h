/*
 * What if some ranks of a job were as fast as the others: its collectives timed again.
 *
 * A rank comes to a collective when what it does itself since the collective before on its own way
 * (rankpath_ready) is done, and the collective that holds it up has ended; who waits for others
 * leaves when the last of them has come and the bytes have been moved, which takes as long as it
 * did.  Of the ranks that are made as fast as the others, what they do themselves between two
 * collectives takes as long as the median of the other ranks' does between the same two: of those
 * that do the same; where there are none, of those they meet.  What cannot be compared
 * stays, and so does what was before the first step.  Without a change every time is what
 * it was, exactly.
 */
#ifndef ANALYZE_JOB_PATH_JOB_WHATIF_H
#define ANALYZE_JOB_PATH_JOB_WHATIF_H

#include "analyze/job/job.h"
#include "base/arena.h"

struct rankpath;

struct job_whatif {
	bool is_known;          /* ranks have common clocks, and paths */
	nsec now, then;         /* the latest end of the last step: as it was; as it would be */
	size_t ready, compared; /* collectives of those ranks in the steps; those that could be
	                           compared */
};

/*
 * is_changed: by rank.  path as for jobpath_init.  Scratch is taken from the arena.
 * O(n log n) in collectives.
 */
void job_whatif(struct job_whatif *t, const struct job *j, const struct rankpath *const *path,
	const bool *is_changed, struct arena *mem);

#endif
