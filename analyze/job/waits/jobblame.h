/*
 * Whom waits go back to.
 *
 * A rank that comes last may itself have waited for another just before: in a group of its own, or
 * as a stage of a pipeline.  What it inherited of its lateness is that other rank's doing, so waits
 * are handed on to it; only the rest is its own.  Where all ranks meet in one group this is the
 * same as who came last.  The sums of all ranks are those of job.caused, hence of job.suffered.
 */
#ifndef ANALYZE_JOB_WAITS_JOBBLAME_H
#define ANALYZE_JOB_WAITS_JOBBLAME_H

#include "analyze/job/job.h"

struct job_blame {
	nsec *rank;    /* by rank: exposed waits that go back to it, over the job's steps */
	nsec *by_step; /* the job's steps x ranks, step first */
};

/* Memory is the arena's.  O(arrivals). */
void job_blame_init(struct job_blame *b, const struct job *j, struct arena *mem);

/* How long each rank waits for some of them over the job's steps: both are by rank. */
void job_blame_waits(const struct job *j, const bool *whom, nsec *waits, struct arena *mem);

#endif
