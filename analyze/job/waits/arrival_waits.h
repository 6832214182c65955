/* Waits: who came when to each meet, who waited for whom, and what that adds up to. */
#pragma once

#include "analyze/job/job.h"
#include "base/base.h"

/* Fills what is left of j, which is matched and whose clocks are known: times and waits of meets,
 * their order and ordinals, pairs, and the sums of ranks and steps.  Needs step and nstep. */
void arrival_waits(struct job *j, struct arena *mem);

/* By rank, then place of its step: which of the job's that is, or COLL_NO_STEP. */
uint32_t **job_number_steps(const struct job *j, struct arena *mem);

/* Of meets whose transfer is known: how late an absent one came, which is none of the transfer.
 * Scratch is the arena's.  O(meets log meets). */
void absent_waits(struct job *j, struct arena *mem);
