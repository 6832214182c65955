/*
 * `ranks`: steps, stages of a pipeline, experts.
 */
#include <math.h>
#include <stdlib.h>

#include "analyze/answer/ranks/ranks.h"
#include "base/compare3.h"
#include "base/minmax.h"
#include "base/ratio.h"
#include "base/saturate.h"

enum { PEOPLE_STEPS = 12, PEOPLE_EXPERTS = 12 };

/* ---- steps ---- */

/* Sums over the ranks of one step. */
struct step_sum {
	nsec longest, shortest, all, wait, transfer, caused;
	uint32_t blamed;
};

static struct step_sum sum_step(const struct ranks *r, size_t i)
{
	const struct job *j = &r->at->job;
	const nsec *blame = r->at->facts.blame.by_step + i * j->nrank;
	struct step_sum s = { .shortest = INT64_MAX };
	uint32_t k;

	for (k = 0; k < j->nrank; k++) {
		const struct job_step *step = &j->by_step[i * j->nrank + k];
		nsec wall = job_ledgers_step(&r->at->facts.ledgers, i, k)->wall;

		s.longest = MAX(wall, s.longest);
		s.shortest = MIN(wall, s.shortest);
		saturate_onto(&s.all, wall);
		saturate_onto(&s.wait, step->suffered);
		saturate_onto(&s.transfer, step->transfer);
		if (blame[k] > blame[s.blamed])
			s.blamed = k;
	}
	s.caused = blame[s.blamed];
	return s;
}

static void put_step(struct ranks *r, struct table *t, size_t i)
{
	struct step_sum s = sum_step(r, i);

	table_row(t);
	if (r->at->facts.ledgers.has_steps)
		table_int(t, RSTEP_STEP, r->at->job.step[i]);
	table_int(t, RSTEP_WALL, s.longest);
	table_int(t, RSTEP_SHORTEST, s.shortest);
	table_int(t, RSTEP_WAIT, s.wait);
	table_real(t, RSTEP_SHARE, ratio_of((double)s.wait, (double)s.all));
	if (s.caused > 0) {
		ranks_number(r, t, RSTEP_RANK, s.blamed);
		table_int(t, RSTEP_CAUSED, s.caused);
	}
	table_int(t, RSTEP_TRANSFER, s.transfer);
}

/* For machines: a row for each rank of each step. */
static void put_ranks(struct ranks *r, size_t limit)
{
	const struct job *j = &r->at->job;
	struct table *t = ranks_begin(r, RANKS_RANK_STEPS);
	size_t i, k, n = 0;

	for (i = 0; i < j->nstep; i++) {
		for (k = 0; k < j->nrank && n < limit; k++, n++) {
			const struct job_step *s = &j->by_step[i * j->nrank + k];

			table_row(t);
			if (r->at->facts.ledgers.has_steps)
				table_int(t, RSTEPS_STEP, j->step[i]);
			ranks_number(r, t, RSTEPS_RANK, (uint32_t)k);
			table_int(t, RSTEPS_WALL,
				job_ledgers_step(&r->at->facts.ledgers, i, k)->wall);
			table_int(t, RSTEPS_WAIT, s->suffered);
			table_int(t, RSTEPS_CAUSED, s->caused);
			table_int(t, RSTEPS_TRANSFER, s->transfer);
		}
	}
	t->ncut = j->nstep * j->nrank - n;
}

void ranks_put_steps(struct ranks *r)
{
	size_t limit = ranks_limit(r, PEOPLE_STEPS), n = r->at->job.nstep, i;
	struct table *t;

	if (n == 0)
		return;
	t = ranks_begin(r, RANKS_STEPS);
	for (i = 0; i < n && i < limit; i++)
		put_step(r, t, i);
	t->ncut = n - i;
	if (!r->q->for_people)
		put_ranks(r, limit);
}

/* ---- stages ---- */

static void put_stage(struct ranks *r, struct table *t, uint32_t stage)
{
	const struct job_stages *s = &r->at->facts.stages;
	const struct job_ledgers *l = &r->at->facts.ledgers;
	uint32_t *member = arena_array(&r->mem, l->n, sizeof(*member)), i;
	double bubble = 0, compute = 0;
	size_t n = 0;

	for (i = 0; i < l->n; i++) {
		if (s->of[i] != stage)
			continue;
		member[n++] = i;
		bubble += s->bubble[i];
		compute += l->v[i].part[PART_COMPUTE];
	}
	table_row(t);
	table_int(t, RSTAGE_STAGE, stage);
	table_int(t, RSTAGE_RANKS, (int64_t)n);
	table_real(t, RSTAGE_COMPUTE, ratio_of(compute, (double)n));
	table_real(t, RSTAGE_BUBBLE, bubble / (double)n);
	table_real(t, RSTAGE_SHARE, ratio_of(bubble / (double)n, l->step));
	table_real(t, RSTAGE_LEAST, job_stages_least(s->n, s->micro));
	table_real(t, RSTAGE_MICRO, s->micro);
	ranks_members(r, t, RSTAGE_MEMBERS, member, n);
}

void ranks_put_stages(struct ranks *r)
{
	struct table *t;
	uint32_t i;

	if (r->at->facts.stages.n < 2)
		return;
	t = ranks_begin(r, RANKS_STAGES);
	for (i = 0; i < r->at->facts.stages.n; i++)
		put_stage(r, t, i);
}

/* ---- experts ---- */

static void put_loads(struct ranks *r)
{
	const struct job_experts *x = &r->at->facts.experts;
	size_t limit = ranks_limit(r, PEOPLE_EXPERTS), n = 0, shown = 0;
	struct table *t = ranks_begin(r, RANKS_LOADS);
	uint32_t i;

	for (i = 0; i < r->at->job.nrank; i++) {
		if (isnan(x->ratio[i]))
			continue;
		n++;
		if (shown == limit)
			continue;
		shown++;
		table_row(t);
		ranks_number(r, t, RLOAD_RANK, i);
		table_int(t, RLOAD_LOAD, x->load[i]);
		table_real(t, RLOAD_RATIO, x->ratio[i]);
		table_int(t, RLOAD_SENT, x->sent[i]);
		table_int(t, RLOAD_RECEIVED, x->received[i]);
	}
	t->ncut = n - shown;
}

static int by_tokens(const void *pa, const void *pb)
{
	const struct job_expert_pair *a = *(const struct job_expert_pair *const *)pa;
	const struct job_expert_pair *b = *(const struct job_expert_pair *const *)pb;

	return COMPARE_BY(compare3(b->tokens, a->tokens), compare3(a, b));
}

/* What all of one rank's tokens have in one group; pairs are by group, from, to. */
static int64_t all_from(const struct job_experts *x, const struct job_expert_pair *p)
{
	const struct job_expert_pair *first = p, *end = x->pair + x->npair;
	int64_t sum = 0;

	while (first > x->pair && first[-1].group == p->group && first[-1].from == p->from)
		first--;
	for (; first < end && first->group == p->group && first->from == p->from; first++)
		saturate_onto(&sum, first->tokens);
	return sum;
}

static void put_pair(struct ranks *r, struct table *t, const struct job_expert_pair *p)
{
	const struct job_experts *x = &r->at->facts.experts;

	table_row(t);
	if (p->from >= 0)
		table_int(t, REXP_FROM, p->from);
	if (p->to >= 0)
		table_int(t, REXP_TO, p->to);
	table_int(t, REXP_TOKENS, p->tokens);
	table_real(t, REXP_SHARE, ratio_of((double)p->tokens, (double)all_from(x, p)));
	ranks_group(r, t, REXP_GROUP, p->group);
}

void ranks_put_experts(struct ranks *r)
{
	const struct job_experts *x = &r->at->facts.experts;
	const struct job_expert_pair **order =
		arena_array(&r->mem, x->npair, sizeof(const struct job_expert_pair *));
	size_t limit = ranks_limit(r, PEOPLE_EXPERTS), i;
	struct table *t;

	if (x->nmeet == 0)
		return;
	put_loads(r);
	for (i = 0; i < x->npair; i++)
		order[i] = &x->pair[i];
	if (x->npair > 1 && r->q->for_people)
		qsort(order, x->npair, sizeof(const struct job_expert_pair *), by_tokens);
	t = ranks_begin(r, RANKS_EXPERTS);
	for (i = 0; i < x->npair && i < limit; i++)
		put_pair(r, t, order[i]);
	t->ncut = x->npair - i;
}
