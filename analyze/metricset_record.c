/*
 * Metrics of records: series and single figures to samples by run.
 *
 * What trainers call by many names has one id (step_time, tokens_per_sec, peak_memory, loss_final);
 * other series keep their own names.  A run with traces has the step time from there, and that of
 * its log beside it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/metricname.h"
#include "analyze/metricset.h"
#include "analyze/sides.h"
#include "analyze/stat/quantile.h"
#include "analyze/stat/welch.h"
#include "analyze/store/record.h"

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
};

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

enum { WINDOW = 100, WINDOW_SHARE = 10, DIVERGED_MIN = 20 };
static const double DIVERGED = 1.5; /* the end over the lowest tenth: rlhf-canary's factor */

struct gathering {
	struct metric *v;
	size_t n;
	size_t run, nrun;
	bool has_traces;           /* a run of the side has */
	const struct side_run *of; /* the run being looked at */
	struct arena *mem;
};

static struct metric *metric_at(struct gathering *g, const char *id, struct metric as)
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

/* The sample of this run to fill; NULL: the metric has one already, or there is no room. */
static struct metric_sample *sample(struct gathering *g, struct metric *m)
{
	struct metric_sample *s;

	if (!m || (m->n > 0 && m->sample[m->n - 1].run == g->of->name))
		return NULL;
	s = &m->sample[m->n++];
	*s = (struct metric_sample){ .run = g->of->name, .mean = NAN, .sd = NAN, .count = -1 };
	return s;
}

static struct metric_sample *own_sample(struct gathering *g, const char *id)
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

			return sample(g, metric_at(g, own[i].id, as));
		}
	return sample(g, metric_at(g, id, (struct metric){ .title = id, .unit = UNIT_NS }));
}

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

		if (!s || isnan(number_of(s)) || !(x = own_sample(g, figures[i].id)))
			continue;
		x->centre = x->mean = base_value(s, figures[i].measure);
		x->count = 1;
		if (find(r, figures[i].count))
			x->count = (int64_t)number_of(find(r, figures[i].count));
		if (find(r, figures[i].std))
			x->sd = base_value(find(r, figures[i].std), figures[i].measure);
	}
}

/* The series' values in base units and in order: all of them, or the last ones of a long one. */
static double *values(const struct series *s, int64_t warmup, enum measure otherwise, size_t *n,
	struct arena *mem)
{
	size_t want = series_is_exact(s) ? (size_t)s->n : (size_t)SERIES_LAST, i;
	size_t from = series_is_exact(s) && warmup > 0 && warmup < s->n ? (size_t)warmup : 0;
	struct point *p = arena_array(mem, want, sizeof(*p));
	double *v = arena_array(mem, want, sizeof(*v));

	*n = series_last(s, want, p);
	from = from < *n ? from : 0;
	for (i = from; i < *n; i++)
		v[i - from] =
			measure_base(s->measure == MEASURE_NONE ? otherwise : s->measure, p[i].y);
	*n -= from;
	return v;
}

static double harmonic(const double *v, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!(v[i] > 0))
			return NAN;
		sum += 1 / v[i];
	}
	return (double)n / sum;
}

/* How a role's values become one figure. */
enum figure { FIGURE_END, FIGURE_MEDIAN, FIGURE_RATE, FIGURE_MOST };

static enum figure figure_of(enum metric_role role, enum unit unit)
{
	switch (role) {
	case ROLE_TOKENS_PER_S:
	case ROLE_SAMPLES_PER_S: return FIGURE_RATE;
	case ROLE_ALLOCATED:
	case ROLE_RESERVED: return FIGURE_MOST;
	default: return unit == UNIT_NS ? FIGURE_MEDIAN : FIGURE_END;
	}
}

static void fill(struct metric_sample *x, double *v, size_t n, enum figure how, struct arena *mem)
{
	size_t last = n / WINDOW_SHARE, i;
	struct moments all = welch_moments(v, n);

	last = last < 1 ? 1 : last > WINDOW ? WINDOW : last;
	last = last < n ? last : n;
	x->mean = all.mean;
	x->v = v;
	x->n = n;
	x->count = (int64_t)n;
	if (how == FIGURE_MEDIAN) {
		x->centre = quantile_median(v, n, mem);
	} else if (how == FIGURE_RATE && !isnan(harmonic(v, n))) {
		x->centre = harmonic(v, n);
	} else if (how == FIGURE_MOST) {
		x->centre = v[0];
		for (i = 1; i < n; i++)
			x->centre = v[i] > x->centre ? v[i] : x->centre;
		x->v = NULL;
		x->n = 0;
		x->count = 1;
	} else {
		x->v = v + n - last;
		x->n = last;
		all = welch_moments(x->v, last);
		x->centre = all.mean;
		x->count = (int64_t)last;
	}
	x->sd = sqrt(all.variance);
}

static const char *name_of(const struct series *s, struct arena *mem)
{
	if (s->group.n == 0)
		return arena_copy(mem, s->name.p, s->name.n);
	return arena_printf(
		mem, "%.*s (%.*s)", (int)s->name.n, s->name.p, (int)s->group.n, s->group.p);
}

/* The id a role gives; NULL: the series' own name. */
static const char *id_of(enum metric_role role, const struct series *s)
{
	static const char *const losses[] = { "loss", "train_loss", "train/loss", "total_loss",
		"losses", "policy_loss", "stability.loss_values" };
	size_t i;

	switch (role) {
	case ROLE_STEP_TIME: return "step_time";
	case ROLE_TOKENS_PER_S: return "tokens_per_sec";
	case ROLE_SAMPLES_PER_S: return "samples_per_sec";
	case ROLE_ALLOCATED: return "peak_memory";
	default: break;
	}
	for (i = 0; i < COUNT_OF(losses); i++)
		if (span_is(s->name, losses[i]))
			return "loss_final";
	return NULL;
}

/*
 * The end of a loss that rose and stayed up: its last tenth above DIVERGED times the lowest tenth.
 */
static void add_divergence(struct gathering *g, const double *v, size_t n)
{
	size_t tenth = n / WINDOW_SHARE, i;
	double lowest = INFINITY, end = 0;
	struct metric_sample *x;

	if (n < DIVERGED_MIN)
		return;
	for (i = 0; i + tenth <= n; i += tenth) {
		end = welch_moments(v + (i + 2 * tenth > n ? n - tenth : i), tenth).mean;
		lowest = end < lowest ? end : lowest;
	}
	x = lowest > 0 ? own_sample(g, "loss_diverged") : NULL;
	if (x) {
		x->centre = x->mean = end > DIVERGED * lowest || x->centre > 0; /* or it says so */
		x->count = 1;
	}
}

/* What only counts or clocks the run is no figure of it. */
static bool is_kept(enum metric_role role, struct span name)
{
	static const char *const counters[] = { "step", "global_step", "epoch", "iteration",
		"iter" };
	size_t i;

	for (i = 0; i < COUNT_OF(counters); i++)
		if (span_is_nocase(name, counters[i]))
			return false;
	return role != ROLE_CLOCK && role != ROLE_TOKENS && role != ROLE_RATE;
}

static void add_series(struct gathering *g, const struct series *s, int64_t warmup)
{
	enum metric_role role = metric_role(s->name);
	enum measure otherwise =
		role == ROLE_STEP_TIME || role == ROLE_WAIT ? MEASURE_S : MEASURE_NONE;
	enum measure measure = s->measure == MEASURE_NONE ? otherwise : s->measure;
	enum unit unit = measure_infos[measure].base;
	const char *id = id_of(role, s), *name;
	struct metric_sample *x;
	double *v;
	size_t n;

	if (s->n == 0 || !is_kept(role, s->name))
		return;
	name = name_of(s, g->mem);
	x = id ? own_sample(g, id)
	       : sample(g,
			 metric_at(g, name,
				 (struct metric){ .title = name,
					 .unit = unit,
					 .better = (enum metric_better)metric_role_direction(
						 role) }));
	if (!x)
		return;
	v = values(s, warmup, otherwise, &n, g->mem);
	fill(x, v, n, figure_of(role, unit), g->mem);
	if (id && strcmp(id, "loss_final") == 0)
		add_divergence(g, v, n);
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
	if (is_watched && (x = own_sample(g, "nan_steps"))) {
		x->centre = x->mean = (double)nan;
		x->count = 1;
	}
	if (is_watched && (x = own_sample(g, "inf_steps"))) {
		x->centre = x->mean = (double)inf;
		x->count = 1;
	}
}

static void add_record(struct gathering *g, const struct digest *d)
{
	const struct record *r = d->record;
	size_t i;

	if (!r)
		return;
	for (i = 0; i < r->nseries; i++)
		add_series(g, r->series[i], d->warmup);
	add_figures(g, r);
	add_damage(g, r);
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
	if (g.n > 1)
		qsort(v, g.n, sizeof(*v), compare);
	return g.n;
}
