/* Meets by collective. */
#include "analyze/job/match/collective_instances.h"

void collective_instances_init(
	struct collective_instances *m, const struct job *j, struct arena *mem)
{
	*m = (struct collective_instances){ .job = j,
		.meet = arena_array(mem, j->nrank, sizeof(*m->meet)) };
	for (size_t i = 0; i < j->nrank; i++) {
		const struct collectives *c = j->rank[i].digest->collectives;

		m->meet[i] = arena_array(mem, c ? c->n : 0, sizeof(**m->meet));
	}
	for (size_t i = 0; i < j->nmeet; i++)
		for (uint32_t k = 0; k < j->meet[i].n && j->meet[i].n > 1; k++) {
			const struct job_arrival *a = &j->meet[i].arrival[k];

			m->meet[a->rank][a->collective] = (uint32_t)i + 1;
		}
}

const struct collective_instance *collective_instances_find(const struct collective_instances *m,
	uint32_t rank, uint32_t collective, const struct job_arrival **arrival)
{
	uint32_t at = m->meet[rank][collective];

	if (!at)
		return NULL;
	const struct collective_instance *meet = &m->job->meet[at - 1];
	*arrival = &meet->arrival[PARTITION_POINT(i, 0, meet->n, meet->arrival[i].rank < rank)];
	return meet;
}

/* ---- what is where in a job ---- */

const struct collective *job_collective(const struct job *j, const struct job_arrival *a)
{
	return &j->rank[a->rank].digest->collectives->v[a->collective];
}

uint32_t job_step_place(const struct job *j, int64_t number)
{
	size_t lo = PARTITION_POINT(i, 0, j->nstep, j->step[i] < number);

	return lo < j->nstep && j->step[lo] == number ? (uint32_t)lo : COLL_NO_STEP;
}
