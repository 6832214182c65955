/* A job: its ranks and steps, and the order of work. */
#include "analyze/job/job.h"

#include "analyze/job/clocks/rank_clocks.h"
#include "analyze/job/jobsteps.h"
#include "analyze/job/waits/arrival_waits.h"
#include "analyze/job/match/match.h"
#include "base/base.h"

static void find_steps(struct job *j, struct arena *mem)
{
	struct jobsteps steps;

	if (j->nrank > 0)
		j->step = arena_array(mem, j->run->part[0].digest->nstep, sizeof(*j->step));
	struct arena_mark mark = arena_mark(mem);
	jobsteps_init(&steps, j->run, mem);
	j->nstep = steps.n;
	for (size_t i = 0; i < steps.n; i++)
		j->step[i] = jobsteps_at(&steps, i, 0)->number;
	arena_reset(mem, mark);
}

void job_init(struct job *j, const struct side_run *run, struct arena *mem)
{
	*j = (struct job){ .run = run, .nrank = run->nrank };
	members_of(&j->members, run, mem);
	j->rank = arena_array(mem, j->nrank, sizeof(*j->rank));
	for (size_t i = 0; i < j->nrank; i++) {
		j->rank[i].digest = run->part[i].digest;
		j->rank[i].rank = run->part[i].rank;
	}
	find_steps(j, mem);
	match(j, mem);
	clocks(j);
	arrival_waits(j, mem);
}

ORDER(by_rank, struct side_part, compare3(a->rank, b->rank),
	strcmp(a->digest->path, b->digest->path))

void job_init_ranks(struct job *j, const struct digest *const *digest, size_t n, struct arena *mem)
{
	struct side_run *run = arena_alloc(mem, sizeof(*run));

	*run = (struct side_run){
		.name = "",
		.n = n,
		.nrank = n,
		.part = arena_array(mem, n, sizeof(*run->part)),
	};
	for (size_t i = 0; i < n; i++)
		run->part[i] = (struct side_part){ digest[i], digest[i]->rank, 0 };
	sort_rows(run->part, n, sizeof(*run->part), by_rank);
	job_init(j, run, mem);
}
