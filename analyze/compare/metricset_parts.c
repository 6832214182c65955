/*
 * Metric sets: what a run consists of.
 */
#include "analyze/compare/metricset.h"

#include <math.h>
#include <string.h>

#include "analyze/job/sides.h"
#include "base/compiler.h"

static double ranks(const struct side_run *run)
{
	return (double)run->nrank;
}

static double devices(const struct side_run *run)
{
	size_t n = 0;

	for (size_t i = 0; i < run->nrank; i++)
		n += run->part[i].digest->has_device ? run->part[i].digest->ndevice : 0;
	return (double)n;
}

static bool has_step(const struct digest *d, int64_t number)
{
	for (size_t i = 0; i < d->nstep; i++)
		if (d->step[i].number == number)
			return true;
	return false;
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
	{ "devices", "devices that work", devices },
	{ "steps", "steps of all ranks", steps },
};

void metricset_parts(struct metricset *m, const struct side *s, struct arena *mem)
{
	m->v = arena_array(mem, COUNT_OF(parts), sizeof(*m->v));
	m->n = m->left_out = 0;
	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		struct metric *one = &m->v[m->n];

		*one = (struct metric){ .id = parts[i].id,
			.title = parts[i].title,
			.unit = UNIT_COUNT,
			.better = BETTER_HIGHER,
			.is_exact = true,
			.is_points = true };
		one->sample = arena_array(mem, s->nrun, sizeof(*one->sample));
		for (size_t k = 0; k < s->nrun; k++) {
			double n = s->run[k].nrank > 0 ? parts[i].of(&s->run[k]) : NAN;

			if (!isnan(n))
				one->sample[one->n++] =
					(struct metric_sample){ .run = s->run[k].name,
						.centre = n,
						.mean = n,
						.sd = NAN,
						.count = 1 };
		}
		m->n += one->n > 0;
	}
}
