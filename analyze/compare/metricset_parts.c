/* Metric sets: what a run consists of. */
#include "analyze/compare/metricset.h"

#include <math.h>

#include "analyze/job/job.h"
#include "analyze/job/jobsteps.h"
#include "analyze/job/match/rank_members.h"
#include "analyze/job/sides.h"
#include "base/compiler.h"
#include "base/search.h"

static double ranks(const struct side_run *run)
{
	return (double)run->nrank;
}

static double devices(const struct side_run *run)
{
	size_t n = SUM(size_t, i, run->nrank,
		run->part[i].digest->has_device ? run->part[i].digest->ndevice : 0);

	return (double)n;
}

static bool has_step(const struct digest *d, int64_t number)
{
	return ANY(i, d->nstep, d->step[i].number == number);
}

/* Those that all ranks have; NaN where no rank marks them. */
static double steps(const struct side_run *run)
{
	const struct digest *first = run->part[0].digest;
	size_t k, n = 0;
	bool any = false;

	for (k = 0; k < run->nrank; k++)
		any = any || run->part[k].digest->has_steps;
	if (!any)
		return NAN;
	for (size_t i = 0; first->has_steps && i < first->nstep; i++) {
		for (k = 1; k < run->nrank; k++)
			if (!has_step(run->part[k].digest, first->step[i].number))
				break;
		n += k == run->nrank;
	}
	return (double)n;
}

static const struct {
	const char *id, *title;
	double (*of)(const struct side_run *run);
} parts[METRICSET_PARTS] = {
	{ "ranks", "ranks", ranks },
	{ "devices", "GPUs that work", devices },
	{ "steps", "steps of all ranks", steps },
};

void metricset_parts(struct metricset *m, const struct side *s, struct arena *mem)
{
	m->v = arena_array(mem, COUNT_OF(parts), sizeof(*m->v));
	m->n = m->left_out = 0;
	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		struct metric *one = &m->v[m->n];

		*one = (struct metric){
			.id = parts[i].id,
			.title = parts[i].title,
			.unit = UNIT_COUNT,
			.better = BETTER_HIGHER,
			.is_exact = true,
			.is_points = true,
			.sample = arena_array(mem, s->nrun, sizeof(*one->sample)),
		};
		for (size_t k = 0; k < s->nrun; k++) {
			double n = s->run[k].nrank > 0 ? parts[i].of(&s->run[k]) : NAN;

			if (!isnan(n))
				one->sample[one->n++] = metric_sample_one(s->run[k].name, n);
		}
		m->n += one->n > 0;
	}
}

/* ---- metric sets: how much ranks wait for each other ---- */

/* Share of each step that the mean rank waits for others; returns how many there are. */
static size_t fill_waits(double *v, const struct job *j, struct arena *scratch)
{
	struct jobsteps steps;
	size_t n = 0;

	jobsteps_init(&steps, j->run, scratch);
	for (size_t i = 0; i < j->nstep && i < steps.n; i++) {
		double step = (double)jobsteps_at(&steps, i, jobsteps_slowest(&steps, i))->wall;
		double waits = 0;

		for (size_t k = 0; k < j->nrank; k++)
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
	struct job j;

	if (!members_job(&own, s, i, scratch))
		return;
	job_init(&j, &own, scratch);
	if (j.nmatched == 0)
		return;
	x->run = s->run[i].name;
	x->v = arena_array(mem, j.nstep, sizeof(*x->v));
	m->n += metric_sample_sum(x, fill_waits(x->v, &j, scratch), false, scratch);
}

void metricset_wait(struct metric *m, const struct side *s, struct arena *mem)
{
	struct arena scratch;

	*m = (struct metric){
		.id = "imbalance",
		.title = "waiting for ranks",
		.unit = UNIT_RATIO,
		.better = BETTER_LOWER,
		.is_points = true,
		.sample = arena_array(mem, s->nrun, sizeof(*m->sample)),
	};
	for (size_t i = 0; i < s->nrun; i++) {
		arena_init(&scratch);
		add_run(m, s, i, &scratch, mem);
		arena_clear(&scratch);
	}
}
