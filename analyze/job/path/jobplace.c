/*
 * What is where in a job.
 */
#include "analyze/job/job.h"

#include "base/search.h"

const struct collective *job_collective(const struct job *j, const struct job_arrival *a)
{
	return &j->rank[a->rank].digest->collectives->v[a->collective];
}

uint32_t job_step_place(const struct job *j, int64_t number)
{
	size_t lo = PARTITION_POINT(i, 0, j->nstep, j->step[i] < number);

	return lo < j->nstep && j->step[lo] == number ? (uint32_t)lo : COLL_NO_STEP;
}
