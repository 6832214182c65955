/* Metrics of records: series and single figures to samples by run.
 *
 * What trainers call by many names has one id (step_time, tokens_per_sec, peak_memory, loss_final);
 * others keep their own names.  A run with traces has the step time from there, and that of its log
 * beside it.  What two artifacts say is there twice. */
#include "analyze/compare/metricset_gather.h"
#include "analyze/job/sides.h"
#include "analyze/trace/figure.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/runpath.h"

enum { SIBLINGS = 32 }; /* members of an object that are looked at */

/* Yes and no count as 1 and 0: loss_diverged is one of them. */
static double number_of(const struct scalar *s)
{
	return s && s->type == SCALAR_BOOL ? s->number : scalar_number(s);
}

/* The part of a key behind its last dot. */
static struct span last_of(struct span key)
{
	size_t i = key.n;

	while (i > 0 && key.p[i - 1] != '.')
		i--;
	return (struct span){ key.p + i, key.n - i };
}

static bool is_sibling(struct span a, struct span b)
{
	a.n -= last_of(a).n;
	b.n -= last_of(b).n;
	return span_eq(a, b);
}

/* The number of that name in the object of the nth: "perf.step_time.std" beside ".mean"; NULL. */
static const struct scalar *beside(const struct record *r, size_t nth, const char *words)
{
	const struct scalar *v = r->scalars.v;
	size_t from = nth, i;

	while (from > 0 && nth - from < SIBLINGS && is_sibling(v[from - 1].key, v[nth].key))
		from--;
	for (i = from; i < r->scalars.n && i - from < 2 * SIBLINGS; i++)
		if (v[i].type == SCALAR_NUMBER && is_sibling(v[i].key, v[nth].key) &&
			span_in(last_of(v[i].key), words))
			return &v[i];
	return NULL;
}

/* Spread and number of values say how sure a mean is, and are no figures by themselves.  Of what
 * is no speed the spread says as much as the mean: how rewards are distributed. */
static bool is_of_mean(const struct record *r, size_t nth)
{
	const struct scalar *mean = beside(r, nth, "mean");

	return mean && span_in(last_of(r->scalars.v[nth].key), "std|count|stddev|rounds") &&
		figure_kind(mean->key, measure_infos[mean->measure].base)->is_speed;
}

/* Blocks of documents that sum up the run itself. */
static const char summaries[] =
	"perf.|summary.|step_profiler.|timing.|throughput.|memory.|stability.";

/* The id of a number that says what a check asks for; NULL: it is called by its name. */
static const char *own_id(const struct scalar *s, enum unit unit)
{
	static const char *const counted[] = { "nan_steps", "inf_steps", "loss_diverged" };
	struct span key = s->key;

	for (size_t i = 0; i < COUNT_OF(counted); i++)
		if (span_is(last_of(key), counted[i]))
			return counted[i];
	if (span_in(last_of(key), "final_loss|loss_final"))
		return "loss_final";
	enum metric_role role = metric_role(key);
	bool is_peak = span_has_nocase(key, "peak") || span_has_nocase(key, "max");
	if (s->type == SCALAR_BOOL || !span_starts_in(key, summaries) ||
		(role == ROLE_ALLOCATED && !is_peak) ||
		figure_kind(key, unit)->better == BETTER_NONE)
		return NULL;
	return metric_role_id(role);
}

static void add_figure(struct gathering *g, const struct record *r, size_t nth)
{
	const struct scalar *s = &r->scalars.v[nth];
	enum measure measure = measure_or_usual(s->measure, s->key);
	const char *id = own_id(s, measure_infos[measure].base);
	struct metric_sample *x = id ? gathering_own(g, id) : NULL;

	if (!x && s->type == SCALAR_NUMBER) { /* another one of them has the id */
		measure = s->measure;
		struct metric *m = gathering_value(g, arena_copy(g->mem, s->key.p, s->key.n),
			s->key, measure_infos[measure].base, measure_base(measure, number_of(s)),
			GATHER_MEAN);
		x = m ? &m->sample[m->n - 1] : NULL;
	} else if (x) {
		x->centre = x->mean = measure_base(measure, number_of(s));
		x->count = 1;
	}
	if (!x)
		return;
	if (!span_is(last_of(s->key), "mean"))
		return;
	const struct scalar *count = beside(r, nth, "count|rounds"),
			    *sd = beside(r, nth, "std|stddev");
	if (count)
		x->count = saturate_whole(number_of(count));
	if (sd)
		x->sd = measure_base(measure, number_of(sd));
}

static void add_figures(struct gathering *g, const struct record *r)
{
	for (size_t i = 0; i < r->scalars.n; i++)
		if (isfinite(number_of(&r->scalars.v[i])) && !is_of_mean(r, i) &&
			!span_starts(r->scalars.v[i].key, "broken."))
			add_figure(g, r, i);
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

		if (metric_counts_nan(s->name)) {
			nan = MAX(saturate_whole(s->sum), nan);
			is_watched = true;
			continue;
		}
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
	const struct scalar *s = record_find(&r->scalars, "stability.loss_diverged");
	struct metric_sample *x;

	if (!(number_of(s) > 0) || !(x = gathering_own(g, "loss_diverged")))
		return;
	x->centre = x->mean = 1;
	x->count = 1;
}

/* A run that failed or was stopped, where its file says so, or that broke. */
static void add_failure(struct gathering *g, const struct record *r)
{
	const struct scalar *s = record_find(&r->scalars, "status");
	bool says_so = s && s->type == SCALAR_TEXT && span_in(s->text, "failed|timeout|aborted");

	if (!says_so && !record_find(&r->scalars, "broken.what"))
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

/* Of one rank, or, where no path says it, of one folder. */
static bool lies_with(const struct side_part *a, const struct side_part *b)
{
	return a->rank == b->rank &&
		(a->rank >= 0 ||
			span_eq(part_folder(a->digest->record), part_folder(b->digest->record)));
}

/* The kind of the artifact; of a further one in a run its rank or its folder, too: "stage_times
 * (profiler_context)"; and a number where that is not enough. */
static const char *source_of(const struct gathering *g, size_t part)
{
	const struct side_part *own = &g->of->part[part];
	const struct record *r = own->digest->record;
	const char *kind = r->nartifact > 0 ? r->artifact[0].kind : "";
	struct span folder = r->nartifact > 0 ? part_folder(r) : SPAN("");
	size_t n = 0, same = 1;
	const char *name = kind;

	for (EACH(const struct side_part, other, g->of->part, part)) {
		const struct record *of = other->digest->record;

		if (!of || of->nartifact == 0 || strcmp(of->artifact[0].kind, kind) != 0)
			continue;
		n++;
		same += lies_with(own, other);
	}
	if (n > 0 && own->rank >= 0)
		name = arena_printf(g->mem, "%s (rank%lld)", kind, (long long)own->rank);
	else if (n > 0 && folder.n > 0)
		name = arena_printf(g->mem, "%s (%.*s)", kind, (int)folder.n, folder.p);
	return same > 1 ? arena_printf(g->mem, "%s %zu", name, same) : name;
}

/* No loss of a policy says how good it is. */
static bool is_policy(const struct record *r)
{
	for (size_t i = 0; i < r->nseries; i++) {
		enum metric_role role = metric_role(r->series[i]->name);

		if (role == ROLE_REWARD || role == ROLE_KL)
			return true;
	}
	return false;
}

static void add_record(struct gathering *g, size_t part)
{
	const struct digest *d = g->of->part[part].digest;
	const struct record *r = d->record;

	if (!r)
		return;
	g->source = source_of(g, part);
	g->is_policy = is_policy(r);
	add_divergence(g, r);
	add_failure(g, r);
	bool is_table = gathering_rows(g, r);
	/* What the run itself says, before what its other ranks say of the same. */
	for (int of_ranks = 0; of_ranks < 2; of_ranks++)
		for (size_t i = 0; i < r->nseries; i++)
			if (is_of_rank(r->series[i]) == of_ranks &&
				!(is_table && gathering_is_row(r->series[i])))
				gathering_series(g, r->series[i], d->warmup);
	add_figures(g, r);
	gathering_stages(g, r);
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
