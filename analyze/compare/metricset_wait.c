/*
 * Metric sets: how much ranks wait for each other.
 */
#include <math.h>

#include "analyze/compare/metricset.h"
#include "analyze/job/job.h"
#include "analyze/job/jobsteps.h"
#include "analyze/job/match/rank_members.h"
#include "analyze/job/sides.h"
#include "analyze/stat/quantile.h"
#include "analyze/stat/welch.h"

/* Share of each step that the mean rank waits for others; returns how many there are. */
static size_t fill_waits(double *v, const struct job *j, struct arena *scratch)
{
	struct jobsteps steps;
	size_t i, k, n = 0;

	jobsteps_init(&steps, j->run, scratch);
	for (i = 0; i < j->nstep && i < steps.n; i++) {
		double step = (double)jobsteps_at(&steps, i, jobsteps_slowest(&steps, i))->wall;
		double waits = 0;

		for (k = 0; k < j->nrank; k++)
			waits += (double)j->by_step[i * j->nrank + k].suffered;
		if (step > 0)
			v[n++] = waits / (double)j->nrank / step;
	}
	return n;
}

static void add_run(
	struct metric *m, const struct side *s, size_t i, struct arena *scratch, struct arena *mem)
{
	struct metric_sample *x = &m->sample[m->n];
	struct side_run own;
	struct moments moments;
	struct job j;

	if (!members_job(&own, s, i, scratch))
		return;
	job_init(&j, &own, scratch);
	if (j.nmatched == 0)
		return;
	x->run = s->run[i].name;
	x->v = arena_array(mem, j.nstep, sizeof(*x->v));
	x->n = fill_waits(x->v, &j, scratch);
	if (x->n == 0)
		return;
	moments = welch_moments(x->v, x->n);
	x->centre = quantile_median(x->v, x->n, scratch);
	x->mean = moments.mean;
	x->sd = sqrt(moments.variance);
	x->count = (int64_t)x->n;
	m->n++;
}

void metricset_wait(struct metric *m, const struct side *s, struct arena *mem)
{
	struct arena scratch;
	size_t i;

	*m = (struct metric){ .id = "imbalance",
		.title = "waiting for ranks",
		.unit = UNIT_RATIO,
		.better = BETTER_LOWER,
		.is_points = true };
	m->sample = arena_array(mem, s->nrun, sizeof(*m->sample));
	for (i = 0; i < s->nrun; i++) {
		arena_init(&scratch);
		add_run(m, s, i, &scratch, mem);
		arena_clear(&scratch);
	}
}
