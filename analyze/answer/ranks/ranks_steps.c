/* `ranks`: steps, stages of a pipeline, experts. */
#include "analyze/answer/ranks/ranks.h"
#include "analyze/analysis/ranked.h"

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
	const struct job_step *of = &j->by_step[i * j->nrank];
	struct step_sum s = { .shortest = INT64_MAX };

	for (uint32_t k = 0; k < j->nrank; k++) {
		nsec wall = job_ledgers_step(&r->at->facts.ledgers, i, k)->wall;

		s.longest = MAX(wall, s.longest);
		s.shortest = MIN(wall, s.shortest);
		saturate_onto(&s.all, wall);
		saturate_onto(&s.wait, of[k].suffered);
		saturate_onto(&s.transfer, of[k].transfer);
	}
	for (uint32_t k = 0; k < j->nrank + j->nabsent; k++) {
		nsec caused = job_facts_caused(&r->at->facts, i, k);

		if (caused <= s.caused)
			continue;
		s.blamed = k;
		s.caused = caused;
	}
	return s;
}

static void put_step(struct ranks *r, struct table *t, size_t i)
{
	struct step_sum s = sum_step(r, i);

	TABLE_ROW(t,
		[RSTEP_STEP] =
			CELL_IF(r->at->facts.ledgers.has_steps, cell_int(r->at->job.step[i])),
		[RSTEP_WALL] = cell_int(s.longest), [RSTEP_SHORTEST] = cell_int(s.shortest),
		[RSTEP_WAIT] = cell_int(s.wait), [RSTEP_SHARE] = cell_ratio(s.wait, s.all));
	if (s.caused > 0)
		TABLE_CELLS(t, [RSTEP_RANK] = ranks_number(r, s.blamed),
			[RSTEP_CAUSED] = cell_int(s.caused));
	table_int(t, RSTEP_TRANSFER, s.transfer);
}

/* For machines: a row for each rank of each step. */
static void put_ranks(struct ranks *r, size_t limit)
{
	const struct job *j = &r->at->job;
	struct table *t = result_table_of(r->out, &ranks_docs[RANKS_RANK_STEPS]);
	size_t n = 0;

	for (size_t i = 0; i < j->nstep; i++) {
		for (size_t k = 0; k < j->nrank && n < limit; k++, n++) {
			const struct job_step *s = &j->by_step[i * j->nrank + k];

			TABLE_ROW(t,
				[RSTEPS_STEP] = CELL_IF(
					r->at->facts.ledgers.has_steps, cell_int(j->step[i])),
				[RSTEPS_RANK] = ranks_number(r, (uint32_t)k),
				[RSTEPS_WALL] = cell_int(
					job_ledgers_step(&r->at->facts.ledgers, i, k)->wall),
				[RSTEPS_WAIT] = cell_int(s->suffered),
				[RSTEPS_CAUSED] = cell_int(job_facts_caused(&r->at->facts, i, k)),
				[RSTEPS_TRANSFER] = cell_int(s->transfer));
		}
	}
	t->ncut = j->nstep * j->nrank - n;
}

void ranks_put_steps(struct ranks *r)
{
	size_t limit = ranks_limit(r, PEOPLE_STEPS), n = r->at->job.nstep, i;

	if (n == 0)
		return;
	struct table *t = result_table_of(r->out, &ranks_docs[RANKS_STEPS]);
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
	uint32_t *member = arena_array(&r->mem, l->n, sizeof(*member));
	double bubble = 0, compute = 0;
	size_t n = 0;

	for (uint32_t i = 0; i < l->n; i++) {
		if (s->of[i] != stage)
			continue;
		member[n++] = i;
		bubble += s->bubble[i];
		compute += l->v[i].part[PART_COMPUTE];
	}
	TABLE_ROW(t, [RSTAGE_STAGE] = cell_int(stage), [RSTAGE_RANKS] = cell_size(n),
		[RSTAGE_COMPUTE] = cell_real(ratio_of(compute, (double)n)),
		[RSTAGE_BUBBLE] = cell_real(bubble / (double)n),
		[RSTAGE_SHARE] = cell_real(ratio_of(bubble / (double)n, l->step)),
		[RSTAGE_LEAST] = cell_real(job_stages_least(s->n, s->micro)),
		[RSTAGE_MICRO] = cell_real(s->micro),
		[RSTAGE_MEMBERS] = ranks_members(r, t, member, n));
}

void ranks_put_stages(struct ranks *r)
{
	if (r->at->facts.stages.n < 2)
		return;
	struct table *t = result_table_of(r->out, &ranks_docs[RANKS_STAGES]);
	for (uint32_t i = 0; i < r->at->facts.stages.n; i++)
		put_stage(r, t, i);
}

/* ---- experts ---- */

static void put_loads(struct ranks *r)
{
	const struct job_experts *x = &r->at->facts.experts;
	size_t limit = ranks_limit(r, PEOPLE_EXPERTS), n = 0, shown = 0;
	struct table *t = result_table_of(r->out, &ranks_docs[RANKS_LOADS]);

	for (uint32_t i = 0; i < r->at->job.nrank; i++) {
		if (isnan(x->ratio[i]))
			continue;
		n++;
		if (shown == limit)
			continue;
		shown++;
		TABLE_ROW(t, [RLOAD_RANK] = ranks_number(r, i), [RLOAD_LOAD] = cell_int(x->load[i]),
			[RLOAD_RATIO] = cell_real(x->ratio[i]), [RLOAD_SENT] = cell_int(x->sent[i]),
			[RLOAD_RECEIVED] = cell_int(x->received[i]));
	}
	t->ncut = n - shown;
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

	TABLE_ROW(t, [REXP_FROM] = cell_count(p->from), [REXP_TO] = cell_count(p->to),
		[REXP_TOKENS] = cell_int(p->tokens),
		[REXP_SHARE] = cell_ratio(p->tokens, all_from(x, p)),
		[REXP_GROUP] = ranks_group(r, t, p->group));
}

void ranks_put_experts(struct ranks *r)
{
	const struct job_experts *x = &r->at->facts.experts;
	struct ranked *order = arena_array(&r->mem, x->npair, sizeof(*order));
	size_t limit = ranks_limit(r, PEOPLE_EXPERTS), i;

	if (x->nmeet == 0)
		return;
	put_loads(r);
	for (i = 0; i < x->npair; i++)
		order[i] = (struct ranked){ .value = x->pair[i].tokens, .at = i };
	if (r->q->for_people)
		ranked_sort(order, x->npair);
	struct table *t = result_table_of(r->out, &ranks_docs[RANKS_EXPERTS]);
	for (i = 0; i < x->npair && i < limit; i++)
		put_pair(r, t, &x->pair[order[i].at]);
	t->ncut = x->npair - i;
}
