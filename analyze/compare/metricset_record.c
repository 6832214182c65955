/*
 * Metrics of records: series and single figures to samples by run.
 *
 * What trainers call by many names has one id (step_time, tokens_per_sec, peak_memory, loss_final);
 * other series keep their own names.  A run with traces has the step time from there, and that of
 * its log beside it.
 */
#include <math.h>

#include "analyze/compare/metricset_gather.h"
#include "analyze/compare/sides.h"
#include "analyze/measure/metricname.h"
#include "analyze/trace/record.h"

/* Single figures of documents' summaries, by key; the first that is there counts. */
static const struct {
	const char *key, *id;
	enum measure measure;    /* where the key says none */
	const char *count, *std; /* keys of how many values it is of, and their deviation */
} figures[] = {
	{ "perf.step_time.mean", "step_time", MEASURE_S, "perf.step_time.count",
		"perf.step_time.std" },
	{ "summary.average_step_time", "step_time", MEASURE_S, "summary.total_steps", NULL },
	{ "step_profiler.average_step_time", "step_time", MEASURE_S, "step_profiler.step_count",
		NULL },
	{ "timing.iteration.mean_sec", "step_time", MEASURE_S, "timing.iteration.count", NULL },
	{ "perf.approx_tokens_per_sec", "tokens_per_sec", MEASURE_NONE, NULL, NULL },
	{ "throughput.tokens_per_sec", "tokens_per_sec", MEASURE_NONE, NULL, NULL },
	{ "throughput.samples_per_sec", "samples_per_sec", MEASURE_NONE, NULL, NULL },
	{ "perf.max_mem_mb", "peak_memory", MEASURE_MIB, NULL, NULL },
	{ "memory.peak_allocated_gb", "peak_memory", MEASURE_GIB, NULL, NULL },
	{ "perf.gpu_utilization_avg", "gpu_utilization", MEASURE_PERCENT, NULL, NULL },
	{ "stability.final_loss", "loss_final", MEASURE_NONE, NULL, NULL },
	{ "summary.final_loss", "loss_final", MEASURE_NONE, NULL, NULL },
	{ "stability.nan_steps", "nan_steps", MEASURE_NONE, NULL, NULL },
	{ "stability.inf_steps", "inf_steps", MEASURE_NONE, NULL, NULL },
	{ "stability.loss_diverged", "loss_diverged", MEASURE_NONE, NULL, NULL },
	{ "profiler.cuda_time_total_ms", "profiler.cuda_time_total_ms", MEASURE_MS, NULL, NULL },
	{ "profiler.cpu_time_total_ms", "profiler.cpu_time_total_ms", MEASURE_MS, NULL, NULL },
};

static const struct scalar *find(const struct record *r, const char *key)
{
	const struct scalar *s = key ? record_find(&r->scalars, key) : NULL;

	return s && (s->type == SCALAR_NUMBER || s->type == SCALAR_BOOL) ? s : NULL;
}

/* Yes and no count as 1 and 0: loss_diverged is one of them. */
static double number_of(const struct scalar *s)
{
	return s && s->type == SCALAR_BOOL ? s->number : scalar_number(s);
}

static double base_value(const struct scalar *s, enum measure otherwise)
{
	return measure_base(s->measure == MEASURE_NONE ? otherwise : s->measure, number_of(s));
}

static void add_figures(struct gathering *g, const struct record *r)
{
	size_t i;

	for (i = 0; i < COUNT_OF(figures); i++) {
		const struct scalar *s = find(r, figures[i].key);
		struct metric_sample *x;

		if (!s || isnan(number_of(s)) || !(x = gathering_own(g, figures[i].id)))
			continue;
		x->centre = x->mean = base_value(s, figures[i].measure);
		x->count = 1;
		if (find(r, figures[i].count))
			x->count = (int64_t)number_of(find(r, figures[i].count));
		if (find(r, figures[i].std))
			x->sd = base_value(find(r, figures[i].std), figures[i].measure);
	}
}

/* Values that are none, in losses, norms and rewards: of the series that has most. */
static void add_damage(struct gathering *g, const struct record *r)
{
	int64_t nan = 0, inf = 0;
	struct metric_sample *x;
	bool is_watched = false;
	size_t i;

	for (i = 0; i < r->nseries; i++) {
		const struct series *s = r->series[i];
		enum metric_role role = metric_role(s->name);

		if (role != ROLE_LOSS && role != ROLE_GRAD_NORM && role != ROLE_REWARD &&
			role != ROLE_KL)
			continue;
		is_watched = true;
		nan = s->nan > nan ? s->nan : nan;
		inf = s->inf > inf ? s->inf : inf;
	}
	if (is_watched && (x = gathering_own(g, "nan_steps"))) {
		x->centre = x->mean = (double)nan;
		x->count = 1;
	}
	if (is_watched && (x = gathering_own(g, "inf_steps"))) {
		x->centre = x->mean = (double)inf;
		x->count = 1;
	}
}

static bool is_of_rank(const struct series *s)
{
	return span_starts(s->group, "rank ");
}

static void add_record(struct gathering *g, const struct digest *d)
{
	const struct record *r = d->record;
	size_t i;

	if (!r)
		return;
	/* What the run itself says, before what its other ranks say of the same. */
	for (i = 0; i < r->nseries; i++)
		if (!is_of_rank(r->series[i]))
			gathering_series(g, r->series[i], d->warmup);
	for (i = 0; i < r->nseries; i++)
		if (is_of_rank(r->series[i]))
			gathering_series(g, r->series[i], d->warmup);
	add_figures(g, r);
	add_damage(g, r);
	gathering_leak(g, r);
}

size_t metricset_record(struct metric *v, const struct side *s, struct arena *mem)
{
	struct gathering g = {
		.v = v, .nrun = s->nrun, .has_traces = sides_ranks(s) > 0, .mem = mem
	};
	size_t k;

	for (g.run = 0; g.run < s->nrun; g.run++) {
		g.of = &s->run[g.run];
		for (k = 0; k < g.of->n; k++)
			add_record(&g, g.of->part[k].digest);
	}
	gathering_sort(&g);
	return g.n;
}
