/* Whom waits go back to.
 *
 * A rank that comes last may itself have waited for another just before: in a group of its own, or
 * as a stage of a pipeline.  What it inherited of its lateness is that other rank's doing, so waits
 * are handed on to it; only the rest is its own.  Where all ranks meet in one group this is the
 * same as who came last.  An absent rank inherits what those did who waited beside it. */
#pragma once

#include "analyze/job/job.h"

/* Fills suffered and caused of ranks, steps and the absent, and the pairs, of meets that are in
 * order and have waits.  step: by rank, then place of its step, the number among the job's.  Memory
 * is the arena's.  O(arrivals). */
void job_blame(struct job *j, uint32_t *const *step, struct arena *mem);

/* What of that is between stages: waits in messages, and for who came last where that is one of
 * another stage.  stage: by rank, behind them by absent.  to: the job's steps x ranks and absent,
 * step first: whom they go back to; added. */
void job_blame_between(const struct job *j, uint32_t *const *step, const uint32_t *stage, nsec *to);
