/*
 * What is where in a job.
 */
#include "analyze/job/job.h"

const struct collective *job_collective(const struct job *j, const struct job_arrival *a)
{
	return &j->rank[a->rank].digest->collectives->v[a->collective];
}

uint32_t job_step_place(const struct job *j, int64_t number)
{
	size_t lo = 0, hi = j->nstep;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (j->step[mid] < number)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < j->nstep && j->step[lo] == number ? (uint32_t)lo : COLL_NO_STEP;
}
