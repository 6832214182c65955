/* Facts of a job. */
#include "analyze/job/jobfacts.h"

#include "analyze/stat/quantile.h"
#include "base/base.h"

/* ---- ledgers of a job's ranks ---- */

enum { FIGURES = sizeof(struct job_ledger) / sizeof(double) };

/* The steps of one rank that the job has, side by side with its numbers. */
static void find_steps(struct job_ledgers *l, size_t rank)
{
	const struct digest *d = l->job->rank[rank].digest;
	size_t at = 0;

	for (size_t i = 0; i < l->job->nstep; i++) {
		while (at + 1 < d->nstep && d->step[at].number < l->job->step[i])
			at++;
		l->at[i * l->n + rank] = &d->step[at];
	}
}

const struct digest_step *job_ledgers_step(const struct job_ledgers *l, size_t i, size_t rank)
{
	return l->at[i * l->n + rank];
}

void job_ledger_of_host(struct job_ledger *l)
{
	double rest = l->wall - l->suffered - l->transfer - l->loading;

	l->part[PART_IDLE] = l->part[PART_IDLE_DATA] = l->loading;
	l->part[PART_COMPUTE] = fmax(rest, 0);
}

/* Sums become means; they lie side by side as doubles. */
static void divide(struct job_ledger *l, double n)
{
	for (size_t k = 0; k < FIGURES; k++)
		((double *)l)[k] /= n;
}

static void sum_rank(struct job_ledgers *l, size_t rank, double *wall)
{
	const struct job *j = l->job;
	struct job_ledger *to = &l->v[rank];
	size_t devices = j->rank[rank].digest->ndevice;

	*to = (struct job_ledger){ 0 };
	for (size_t i = 0; i < j->nstep; i++) {
		const struct digest_step *s = job_ledgers_step(l, i, rank);
		const struct job_step *waits = &j->by_step[i * j->nrank + rank];

		wall[i] = (double)s->wall;
		to->wall += wall[i];
		for (int p = 0; p < PART_COUNT; p++)
			to->part[p] += (double)s->part[p];
		to->loading += (double)s->phase[PHASE_DATA];
		to->suffered += (double)waits->suffered;
		to->transfer += (double)waits->transfer;
	}
	divide(to, (double)j->nstep);
	for (int p = 0; p < PART_COUNT && devices > 1; p++)
		to->part[p] /= (double)devices;
	if (devices == 0)
		job_ledger_of_host(to);
	to->median = quantile_select(wall, j->nstep, 0.5);
}

static double longest(const struct job_ledgers *l, size_t i)
{
	nsec most = 0;

	for (size_t r = 0; r < l->n; r++)
		if (job_ledgers_step(l, i, r)->wall > most)
			most = job_ledgers_step(l, i, r)->wall;
	return (double)most;
}

/* Each figure's median; they lie side by side as doubles. */
static void find_middle(struct job_ledgers *l, struct arena *mem)
{
	double *v = arena_array(mem, l->n, sizeof(*v));

	for (size_t k = 0; k < FIGURES; k++) {
		for (size_t i = 0; i < l->n; i++)
			v[i] = ((const double *)&l->v[i])[k];
		((double *)&l->middle)[k] = quantile_select(v, l->n, 0.5);
	}
}

/* Memory is the arena's.  O(ranks x steps). */
static void job_ledgers_init(struct job_ledgers *l, const struct job *j, struct arena *mem)
{
	double *wall = arena_array(mem, j->nstep, sizeof(*wall));

	*l = (struct job_ledgers){ .n = j->nrank, .job = j, .step = NAN };
	l->v = arena_array(mem, l->n, sizeof(*l->v));
	l->at = arena_array(mem, j->nstep * l->n, sizeof(const struct digest_step *));
	for (size_t i = 0; i < l->n; i++) {
		l->has_steps = l->has_steps || j->rank[i].digest->has_steps;
		find_steps(l, i);
		sum_rank(l, i, wall);
	}
	for (size_t i = 0; i < j->nstep; i++) {
		wall[i] = longest(l, i);
		l->mean += wall[i] / (double)j->nstep;
	}
	if (j->nstep > 0)
		l->step = quantile_select(wall, j->nstep, 0.5);
}

/* ---- all facts ---- */

nsec job_facts_caused(const struct job_facts *f, size_t step, size_t rank)
{
	const struct job *j = f->job;
	nsec ns = rank < j->nrank ? j->by_step[step * j->nrank + rank].caused
				  : j->absent[rank - j->nrank].by_step[step];

	if (!f->stages.between)
		return ns;
	return ns - f->stages.between[step * (j->nrank + j->nabsent) + rank];
}

void job_facts_init(struct job_facts *f, const struct job *j, struct arena *mem)
{
	*f = (struct job_facts){ .job = j };
	job_ledgers_init(&f->ledgers, j, mem);
	job_flows_init(&f->flows, j, mem);
	job_stages_init(&f->stages, j, &f->flows, mem);
	for (size_t r = 0; r < j->nrank && j->nstep > 0; r++)
		f->ledgers.v[r].caused =
			SUM(double, i, j->nstep, (double)job_facts_caused(f, i, r)) /
			(double)j->nstep;
	find_middle(&f->ledgers, mem);
	job_experts_init(&f->experts, j, mem);
}
