/* Slow links: groups whose transfers take longer than those of their peers. */
#include "analyze/job/waits/jobwhy_parts.h"

static const double least_share = 0.5; /* of the floor: what slow transfers cost a step */

/* What each group's slow flows cost a step. */
static void sum_excess(const struct why_work *w, double *excess)
{
	const struct job_flows *f = &w->f->flows;

	for (EACH(struct job_flow, flow, f->v, f->n))
		if (flow->is_slow)
			excess[flow->key.group] += (double)flow->excess / (double)w->j->nstep;
}

static bool has_part(const struct job_flow *f, const struct job_group *g, uint32_t rank)
{
	if (f->key.a != UINT32_MAX)
		return rank == f->key.a || rank == f->key.b;
	return ANY(i, g->nmember, g->member[i] == rank);
}

/* The only rank that all slow flows of at least two groups or pairs have in common. */
static uint32_t shared_rank(const struct why_work *w)
{
	const struct job_flows *f = &w->f->flows;
	uint32_t found = WHY_NOBODY;

	for (uint32_t rank = 0; rank < w->j->nrank; rank++) {
		size_t i = 0;

		while (i < f->n &&
			(!f->v[i].is_slow ||
				has_part(&f->v[i], &w->j->group[f->v[i].key.group], rank)))
			i++;
		if (i < f->n)
			continue;
		if (found != WHY_NOBODY)
			return WHY_NOBODY;
		found = rank;
	}
	return found;
}

static const struct job_flow *worst_flow(const struct why_work *w, uint32_t group)
{
	const struct job_flows *f = &w->f->flows;
	const struct job_flow *best = NULL;

	for (EACH(const struct job_flow, flow, f->v, f->n))
		if (flow->is_slow && flow->key.group == group &&
			(!best || flow->excess > best->excess))
			best = flow;
	return best;
}

bool why_find_link(struct why_link *l, const struct why_work *w)
{
	double *excess = arena_array(w->mem, w->j->ngroup, sizeof(*excess));

	*l = (struct why_link){ .rank = WHY_NOBODY };
	sum_excess(w, excess);
	for (uint32_t i = 0; i < w->j->ngroup; i++) {
		l->ngroup += excess[i] > 0;
		if (excess[i] > excess[l->group])
			l->group = i;
	}
	if (l->ngroup == 0 || excess[l->group] < least_share * w->floor)
		return false;
	l->excess = excess[l->group];
	l->flow = worst_flow(w, l->group);
	l->rank = shared_rank(w);
	return true;
}
