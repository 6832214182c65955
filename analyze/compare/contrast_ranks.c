/* Contrasts: the ranks, and which of them the others wait for. */
#include "analyze/compare/contrast.h"

#include "analyze/job/jobsteps.h"
#include "analyze/job/match/rank_members.h"
#include "analyze/job/sides.h"

/* A rank of one run: found or made, in the order of ranks. */
static struct contrast_rank *rank_at(struct contrast_ranks *r, int64_t rank)
{
	size_t i = 0;

	while (i < r->n && r->v[i].rank < rank)
		i++;
	if (i < r->n && r->v[i].rank == rank)
		return &r->v[i];
	for (size_t k = r->n++; k > i; k--)
		r->v[k] = r->v[k - 1];
	r->v[i] = (struct contrast_rank){ .rank = rank };
	return &r->v[i];
}

static void add_run(
	struct contrast_ranks *r, const struct side_run *run, bool is_now, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	struct jobsteps j;

	jobsteps_init(&j, run, mem);
	for (size_t k = 0; j.n > 0 && k < j.nrank; k++) {
		struct contrast_rank *rank = rank_at(r, contrast_rank_of(run, k));
		struct contrast_rank_side *s = is_now ? &rank->now : &rank->base;
		double sum = 0;

		for (size_t i = 0; i < j.n; i++) {
			sum += (double)jobsteps_at(&j, i, k)->wall;
			s->slowest += jobsteps_slowest(&j, i) == k;
		}
		s->ns += sum / (double)j.n; /* a sum over the runs yet */
		s->runs++;
		s->steps += j.n;
	}
	arena_reset(mem, mark);
}

static size_t traces(const struct side *s)
{
	return SUM(size_t, i, s->nrun, s->run[i].nrank);
}

void contrast_find_ranks(struct contrast *c)
{
	struct contrast_ranks *r = &c->ranks;

	if (sides_ranks(c->base) < 2 && sides_ranks(c->now) < 2)
		return;
	r->v = arena_array(c->mem, traces(c->base) + traces(c->now), sizeof(*r->v));
	for (size_t i = 0; i < c->base->nrun; i++)
		add_run(r, &c->base->run[i], false, c->mem);
	for (size_t i = 0; i < c->now->nrun; i++)
		add_run(r, &c->now->run[i], true, c->mem);
	for (EACH(struct contrast_rank, rank, r->v, r->n)) {
		rank->base.ns = rank->base.runs ? rank->base.ns / (double)rank->base.runs : NAN;
		rank->now.ns = rank->now.runs ? rank->now.ns / (double)rank->now.runs : NAN;
	}
}

const struct contrast_rank *contrast_slowest(const struct contrast_ranks *r, bool is_now)
{
	const struct contrast_rank *best = NULL;

	for (EACH(const struct contrast_rank, rank, r->v, r->n)) {
		const struct contrast_rank_side *s = is_now ? &rank->now : &rank->base;
		const struct contrast_rank_side *b = !best ? NULL
			: is_now                           ? &best->now
							   : &best->base;

		if (s->runs > 0 &&
			(!b || s->slowest > b->slowest ||
				(s->slowest == b->slowest && s->ns > b->ns)))
			best = rank;
	}
	return best;
}

/* ---- contrasts: who makes the others wait, on each side ---- */

/* What is wrong with one run, NULL text: it is no job. */
static void judge_run(struct contrast_job *to, const struct side *s, size_t i, struct arena *mem)
{
	SCOPED_ARENA scratch = { 0 };
	struct side_run own;
	const struct job_why *w;
	struct job_why why;
	struct job j;

	*to = (struct contrast_job){ .state = JOB_UNJUDGED, .rank = -1 };
	if (members_job(&own, s, i, &scratch)) {
		job_init(&j, &own, &scratch);
		job_why(&why, &j, &scratch);
		w = job_why_straggler(&why);
		to->state = w->state;
		to->cause = w->cause;
		to->wait = w->wait;
		to->rank = w->number;
		to->text = arena_copy(mem, w->text.p, w->text.n);
	}
}

static bool is_same(const struct contrast_job *a, const struct contrast_job *b)
{
	return a->state == b->state && a->rank == b->rank;
}

/* Of several runs what most of them say, the first of equals. */
static void judge_side(struct contrast_job *to, const struct side *s, struct arena *mem)
{
	struct contrast_job *v = arena_array(mem, s->nrun, sizeof(*v));
	size_t most = 0;

	*to = (struct contrast_job){ .state = JOB_UNJUDGED, .rank = -1 };
	for (size_t i = 0; i < s->nrun; i++)
		judge_run(&v[i], s, i, mem);
	for (size_t i = 0; i < s->nrun; i++) {
		size_t n = SUM(size_t, k, s->nrun, v[k].text && is_same(&v[i], &v[k]));

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
