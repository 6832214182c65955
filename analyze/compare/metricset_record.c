/*
 * Metrics of records: series and single figures to samples by run.
 *
 * What trainers call by many names has one id (step_time, tokens_per_sec, peak_memory, loss_final);
 * others keep their own names.  A run with traces has the step time from there, and that of its log
 * beside it; what two artifacts say is there twice.
 */
#include <math.h>

#include "analyze/compare/metricset_gather.h"
#include "analyze/job/sides.h"
#include "analyze/measure/metricname.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/runpath.h"
#include "base/minmax.h"
#include "base/saturate.h"
#include "base/search.h"

/* Single figures of documents' summaries, by key; the first of an artifact has the id, others
 * their names. */
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

/* One of the figures; false: the artifact has said that quantity before. */
static bool add_own(struct gathering *g, const struct record *r, size_t i, const struct scalar *s)
{
	struct metric_sample *x = gathering_own(g, figures[i].id);

	if (!x)
		return false;
	x->centre = x->mean = base_value(s, figures[i].measure);
	x->count = 1;
	if (find(r, figures[i].count))
		x->count = saturate_whole(number_of(find(r, figures[i].count)));
	if (find(r, figures[i].std))
		x->sd = base_value(find(r, figures[i].std), figures[i].measure);
	return true;
}

/* Whether a number is a part of a figure with an id: the figure itself, its count, its spread. */
static bool is_taken(const bool taken[COUNT_OF(figures)], struct span key)
{
	return ANY(i, COUNT_OF(figures),
		taken[i] &&
			(span_is(key, figures[i].key) ||
				(figures[i].count && span_is(key, figures[i].count)) ||
				(figures[i].std && span_is(key, figures[i].std))));
}

static void add_figures(struct gathering *g, const struct record *r)
{
	bool taken[COUNT_OF(figures)] = { false };

	for (size_t i = 0; i < COUNT_OF(figures); i++) {
		const struct scalar *s = find(r, figures[i].key);

		if (s && !isnan(number_of(s)))
			taken[i] = add_own(g, r, i, s);
	}
	for (size_t i = 0; i < r->scalars.n; i++) {
		const struct scalar *s = &r->scalars.v[i];

		if (s->type != SCALAR_NUMBER || !isfinite(s->number) || is_taken(taken, s->key))
			continue;
		struct metric_sample *x =
			gathering_figure(g, arena_copy(g->mem, s->key.p, s->key.n), s->key,
				measure_infos[s->measure].base);
		if (!x)
			continue;
		x->centre = x->mean = base_value(s, MEASURE_NONE);
		x->count = 1;
	}
}

/* Values that are none, in losses, norms and rewards: of the series that has most. */
static void add_damage(struct gathering *g, const struct record *r)
{
	int64_t nan = 0, inf = 0;
	struct metric_sample *x;
	bool is_watched = false;

	for (size_t i = 0; i < r->nseries; i++) {
		const struct series *s = r->series[i];
		enum metric_role role = metric_role(s->name);

		if (role != ROLE_LOSS && role != ROLE_GRAD_NORM && role != ROLE_REWARD &&
			role != ROLE_KL)
			continue;
		is_watched = true;
		nan = MAX(s->nan, nan);
		inf = MAX(s->inf, inf);
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

/* A file that says so itself is believed, also where the values it keeps do not show it. */
static void add_divergence(struct gathering *g, const struct record *r)
{
	const struct scalar *s = find(r, "stability.loss_diverged");
	struct metric_sample *x;

	if (!s || !(number_of(s) > 0) || !(x = gathering_own(g, "loss_diverged")))
		return;
	x->centre = x->mean = 1;
	x->count = 1;
}

/* A run that failed or was stopped, where its file says so. */
static void add_failure(struct gathering *g, const struct record *r)
{
	const struct scalar *s = record_find(&r->scalars, "status");

	if (!s || s->type != SCALAR_TEXT || !span_in(s->text, "failed|timeout|aborted"))
		return;
	struct metric_sample *x = gathering_own(g, "run_failed");
	if (!x)
		return;
	x->centre = x->mean = 1;
	x->count = 1;
}

/* The folder it lies in, where that is a part of its run: "profiler_context"; else empty. */
static struct span part_folder(const struct record *r)
{
	const char *path = r->artifact[0].path, *slash = strrchr(path, '/'), *p = slash;
	struct span folder = SPAN("");

	while (p && p > path && p[-1] != '/')
		p--;
	if (slash)
		folder = (struct span){ p, (size_t)(slash - p) };
	return runpath_is_part(folder) ? folder : SPAN("");
}

static bool is_of_kind(const struct record *r, const char *kind)
{
	return r && r->nartifact > 0 && strcmp(r->artifact[0].kind, kind) == 0;
}

/* The kind of the artifact; of a further one in a run its folder, too: "stage_times
 * (profiler_context)"; and a number where that is not enough. */
static const char *source_of(const struct gathering *g, size_t part)
{
	const struct record *r = g->of->part[part].digest->record;
	const char *kind = r->nartifact > 0 ? r->artifact[0].kind : "";
	struct span folder = r->nartifact > 0 ? part_folder(r) : SPAN("");
	size_t n = 0, same = 1;
	const char *name = kind;

	for (size_t i = 0; i < part; i++) {
		const struct record *other = g->of->part[i].digest->record;

		if (!is_of_kind(other, kind))
			continue;
		n++;
		same += span_eq(part_folder(other), folder);
	}
	if (n > 0 && folder.n > 0)
		name = arena_printf(g->mem, "%s (%.*s)", kind, (int)folder.n, folder.p);
	return same > 1 ? arena_printf(g->mem, "%s %zu", name, same) : name;
}

static void add_record(struct gathering *g, size_t part)
{
	const struct digest *d = g->of->part[part].digest;
	const struct record *r = d->record;

	if (!r)
		return;
	g->source = source_of(g, part);
	add_divergence(g, r);
	add_failure(g, r);
	/* What the run itself says, before what its other ranks say of the same. */
	for (size_t i = 0; i < r->nseries; i++)
		if (!is_of_rank(r->series[i]))
			gathering_series(g, r->series[i], d->warmup);
	for (size_t i = 0; i < r->nseries; i++)
		if (is_of_rank(r->series[i]))
			gathering_series(g, r->series[i], d->warmup);
	add_figures(g, r);
	for (size_t i = 0; i < r->nsheet; i++)
		gathering_sheet(g, r, r->sheet[i]);
	add_damage(g, r);
	gathering_leak(g, r);
}

struct metric *metricset_record(
	const struct side *s, size_t *n, size_t *left_out, struct arena *mem)
{
	struct gathering g = { .nrun = s->nrun, .has_traces = sides_ranks(s) > 0, .mem = mem };

	gathering_init(&g);
	for (size_t i = 0; i < s->nrun; i++) {
		g.of = &s->run[i];
		for (size_t k = 0; k < g.of->n; k++)
			add_record(&g, k);
	}
	struct metric *v = gathering_finish(&g);
	*n = g.n;
	*left_out = g.left_out;
	return v;
}
