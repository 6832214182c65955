/* Steps of a job, matched over its ranks by number. */
#include "analyze/job/jobsteps.h"

#include "analyze/job/sides.h"
#include "analyze/stat/exceptions.h"

/* The step of d with that number, looked for from *at on; NULL: it has none. */
static const struct digest_step *find(const struct digest *d, size_t *at, int64_t number)
{
	while (*at < d->nstep && d->step[*at].number < number)
		++*at;
	return *at < d->nstep && d->step[*at].number == number ? &d->step[*at] : NULL;
}

void jobsteps_init(struct jobsteps *j, const struct side_run *run, struct arena *mem)
{
	const struct digest *first = run->nrank > 0 ? run->part[0].digest : NULL;
	size_t *at = arena_array(mem, run->nrank, sizeof(*at));
	size_t rank;

	*j = (struct jobsteps){ .nrank = run->nrank };
	if (!first)
		return;
	j->step = arena_array(mem, first->nstep * run->nrank, sizeof(const struct digest_step *));
	for (size_t i = 0; i < first->nstep; i++) {
		const struct digest_step **to = j->step + j->n * j->nrank;

		for (rank = 0; rank < j->nrank; rank++) {
			to[rank] = find(run->part[rank].digest, &at[rank], first->step[i].number);
			if (!to[rank])
				break;
		}
		j->n += rank == j->nrank;
	}
}

const struct digest_step *jobsteps_at(const struct jobsteps *j, size_t i, size_t rank)
{
	return j->step[i * j->nrank + rank];
}

bool *jobsteps_odd(const struct jobsteps *j, struct arena *mem)
{
	double *wall = arena_array(mem, j->n, sizeof(*wall));
	bool *odd = arena_array(mem, j->n, sizeof(*odd));

	for (size_t i = 0; i < j->n; i++)
		wall[i] = (double)jobsteps_at(j, i, jobsteps_slowest(j, i))->wall;
	exceptions_find(wall, j->n, odd, NULL, mem);
	return odd;
}

size_t jobsteps_slowest(const struct jobsteps *j, size_t i)
{
	size_t slowest = 0;

	for (size_t rank = 1; rank < j->nrank; rank++)
		if (jobsteps_at(j, i, rank)->wall > jobsteps_at(j, i, slowest)->wall)
			slowest = rank;
	return slowest;
}
