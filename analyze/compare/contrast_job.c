/*
 * Contrasts: who makes the others wait, on each side.
 */
#include <string.h>

#include "analyze/compare/contrast.h"
#include "analyze/job/match/rank_members.h"
#include "analyze/job/sides.h"

/* What is wrong with one run, NULL text: it is no job. */
static void judge_run(struct contrast_job *to, const struct side *s, size_t i, struct arena *mem)
{
	struct arena scratch;
	struct side_run own;
	const struct job_why *w;
	struct job_why why;
	struct job j;

	*to = (struct contrast_job){ .state = JOB_UNJUDGED, .rank = -1 };
	arena_init(&scratch);
	if (members_job(&own, s, i, &scratch)) {
		job_init(&j, &own, &scratch);
		job_why(&why, &j, &scratch);
		w = job_why_straggler(&why);
		to->state = w->state;
		to->wait = w->wait;
		to->rank = w->rank < j.nrank ? j.rank[w->rank].rank : -1;
		to->text = arena_copy(mem, w->text.p, w->text.n);
	}
	arena_clear(&scratch);
}

static bool is_same(const struct contrast_job *a, const struct contrast_job *b)
{
	return a->state == b->state && a->rank == b->rank;
}

/* Of several runs what most of them say, the first of equals. */
static void judge_side(struct contrast_job *to, const struct side *s, struct arena *mem)
{
	struct contrast_job *v = arena_array(mem, s->nrun, sizeof(*v));
	size_t i, k, most = 0;

	*to = (struct contrast_job){ .state = JOB_UNJUDGED, .rank = -1 };
	for (i = 0; i < s->nrun; i++)
		judge_run(&v[i], s, i, mem);
	for (i = 0; i < s->nrun; i++) {
		size_t n = 0;

		for (k = 0; k < s->nrun; k++)
			n += v[k].text && is_same(&v[i], &v[k]);
		if (n > most) {
			most = n;
			*to = v[i];
		}
	}
}

void contrast_find_jobs(struct contrast *c)
{
	judge_side(&c->base_job, c->base, c->mem);
	judge_side(&c->now_job, c->now, c->mem);
}
