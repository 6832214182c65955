/*
 * Gathering metrics of records: each once by its id, with a sample of each run.
 */
#include "analyze/compare/metricset_gather.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/compare/sides.h"

/* Figures with ids of their own, in the order in which they are shown. */
static const struct {
	const char *id, *title;
	enum unit unit;
	enum metric_better better;
	bool is_exact, is_points;
} own[] = {
	{ "step_time", "step time", UNIT_NS, BETTER_LOWER, false, false },
	{ "log_step_time", "step time, log", UNIT_NS, BETTER_LOWER, false, false },
	{ "tokens_per_sec", "tokens/s", UNIT_NONE, BETTER_HIGHER, false, false },
	{ "samples_per_sec", "samples/s", UNIT_NONE, BETTER_HIGHER, false, false },
	{ "peak_memory", "peak memory", UNIT_BYTES, BETTER_LOWER, false, false },
	{ "log_peak_memory", "peak memory, log", UNIT_BYTES, BETTER_LOWER, false, false },
	{ "gpu_utilization", "GPU utilization", UNIT_RATIO, BETTER_HIGHER, false, true },
	{ "loss_final", "loss at the end", UNIT_NONE, BETTER_LOWER, false, false },
	{ "nan_steps", "steps with NaN", UNIT_COUNT, BETTER_LOWER, true, true },
	{ "inf_steps", "steps with inf", UNIT_COUNT, BETTER_LOWER, true, true },
	{ "loss_diverged", "loss diverged", UNIT_COUNT, BETTER_LOWER, true, true },
	{ "leak", "memory leak", UNIT_COUNT, BETTER_LOWER, true, true },
};

struct metric *gathering_metric(struct gathering *g, const char *id, struct metric as)
{
	size_t i;

	for (i = 0; i < g->n; i++)
		if (strcmp(g->v[i].id, id) == 0)
			return &g->v[i];
	if (g->n == METRICSET_RECORD_MAX)
		return NULL;
	as.id = id;
	as.is_log = true;
	as.sample = arena_array(g->mem, g->nrun, sizeof(*as.sample));
	g->v[g->n] = as;
	return &g->v[g->n++];
}

/* Step times and memory stand beside those of the run's traces. */
static const char *beside_trace(const struct gathering *g, const char *id)
{
	if (g->has_traces && strcmp(id, "step_time") == 0)
		return "log_step_time";
	if (g->has_traces && strcmp(id, "peak_memory") == 0)
		return "log_peak_memory";
	return id;
}

struct metric_sample *gathering_sample(struct gathering *g, struct metric *m)
{
	struct metric_sample *s;

	if (!m || (m->n > 0 && m->sample[m->n - 1].run == g->of->name))
		return NULL;
	s = &m->sample[m->n++];
	*s = (struct metric_sample){ .run = g->of->name, .mean = NAN, .sd = NAN, .count = -1 };
	return s;
}

struct metric_sample *gathering_own(struct gathering *g, const char *id)
{
	size_t i;

	id = beside_trace(g, id);
	for (i = 0; i < COUNT_OF(own); i++)
		if (strcmp(own[i].id, id) == 0) {
			const struct metric as = { .title = own[i].title,
				.unit = own[i].unit,
				.better = own[i].better,
				.is_exact = own[i].is_exact,
				.is_points = own[i].is_points };

			return gathering_sample(g, gathering_metric(g, own[i].id, as));
		}
	return gathering_sample(
		g, gathering_metric(g, id, (struct metric){ .title = id, .unit = UNIT_NS }));
}

/* Place of an id among those that have one; names come behind, in their order. */
static size_t place(const char *id)
{
	size_t i = 0;

	while (i < COUNT_OF(own) && strcmp(own[i].id, id) != 0)
		i++;
	return i;
}

static int compare(const void *pa, const void *pb)
{
	const struct metric *a = pa, *b = pb;
	size_t x = place(a->id), y = place(b->id);

	return x != y ? (x > y) - (x < y) : strcmp(a->id, b->id);
}

void gathering_sort(struct gathering *g)
{
	if (g->n > 1)
		qsort(g->v, g->n, sizeof(*g->v), compare);
}
