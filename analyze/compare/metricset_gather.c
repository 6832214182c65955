/* Gathering metrics of records: each once by its id, with a sample of each run. */
#include "analyze/compare/metricset_gather.h"

#include <assert.h>

#include "analyze/trace/figure.h"
#include "analyze/job/sides.h"

/* Figures with ids of their own, in the order in which they are shown. */
static const struct {
	const char *id, *title;
	enum unit unit;
	enum metric_better better;
	bool is_exact, is_points;
} own[] = {
	{ "step_time", "step time", UNIT_NS, BETTER_LOWER, false, false },
	{ "log_step_time", "step time, log", UNIT_NS, BETTER_LOWER, false, false },
	{ METRIC_UNEVEN, "mean step above the median", UNIT_RATIO, BETTER_LOWER, false, true },
	{ "tokens_per_sec", "tokens/s", UNIT_NONE, BETTER_HIGHER, false, false },
	{ "samples_per_sec", "samples/s", UNIT_NONE, BETTER_HIGHER, false, false },
	{ "throughput", "throughput", UNIT_NONE, BETTER_HIGHER, false, false },
	{ "peak_memory", "peak memory", UNIT_BYTES, BETTER_LOWER, false, false },
	{ "log_peak_memory", "peak memory, log", UNIT_BYTES, BETTER_LOWER, false, false },
	{ "gpu_utilization", "GPU utilization", UNIT_RATIO, BETTER_HIGHER, false, true },
	{ "loss_final", "loss at the end", UNIT_NONE, BETTER_LOWER, false, false },
	{ "nan_steps", "steps with NaN", UNIT_COUNT, BETTER_LOWER, true, true },
	{ "inf_steps", "steps with inf", UNIT_COUNT, BETTER_LOWER, true, true },
	{ "loss_diverged", "loss diverged", UNIT_COUNT, BETTER_LOWER, true, true },
	{ "run_failed", "run failed", UNIT_COUNT, BETTER_LOWER, true, true },
	{ "leak", "memory leak", UNIT_COUNT, BETTER_LOWER, true, true },
};

static const uint64_t seed = 0x6d65747269637371u;

void gathering_init(struct gathering *g)
{
	strings_init(&g->keys, seed);
	strings_init(&g->quantities, seed);
	strings_init(&g->sources, seed);
	(void)strings_intern(&g->keys, SPAN(""));
}

/* Step times and memory stand beside those of the run's traces. */
static const char *beside_trace(const struct gathering *g, const char *id)
{
	if (g->has_traces && strcmp(id, "step_time") == 0)
		return "log_step_time";
	return g->has_traces && strcmp(id, "peak_memory") == 0 ? "log_peak_memory" : id;
}

/* Of the first source the quantity's own word, of others with their name behind it. */
static const char *id_of(struct gathering *g, const char *quantity)
{
	size_t n = g->quantities.n;

	(void)strings_intern(&g->quantities, span_of(quantity));
	if (g->quantities.n > n)
		return beside_trace(g, quantity);
	return arena_printf(g->mem, "%s@%s", quantity, g->source);
}

/* The number of quantity and source, new (then it is g->n + 1) or old; 0: there is no room. */
static sym key_of(struct gathering *g, const char *quantity)
{
	SCOPED_STR b = { 0 };

	str_addf(&b, "%s@", quantity);
	str_adds(&b, g->source);
	struct span text = (struct span){ b.s, b.n };
	sym key = strings_find(&g->keys, text);
	if (key == UINT32_MAX && g->n < METRICSET_RECORD_MAX)
		key = strings_intern(&g->keys, text);
	return key == UINT32_MAX ? 0 : key;
}

/* The metric of that quantity and the artifact, made `as` when it is new; NULL: there is no room.
 */
static struct metric *metric_of(struct gathering *g, const char *quantity, struct metric as)
{
	sym key = key_of(g, quantity);

	if (key > 0 && key <= g->n)
		return &g->v[key - 1].m;
	if (key == 0) {
		g->left_out++;
		return NULL;
	}
	g->v = array_grow(g->v, &g->cap, g->n + 1, sizeof(*g->v));
	as.id = id_of(g, quantity);
	as.quantity = quantity;
	as.source = g->source;
	as.is_log = true;
	as.title = as.kind ? as.id : as.title;
	as.sample = arena_array(g->mem, g->nrun, sizeof(*as.sample));
	g->v[g->n] = (struct gathered){ as, strings_intern(&g->sources, span_of(g->source)) };
	return &g->v[g->n++].m;
}

/* The sample of this run to fill; NULL: the metric has one already, or m is NULL. */
static struct metric_sample *sample_of(struct gathering *g, struct metric *m)
{
	if (!m || (m->n > 0 && m->sample[m->n - 1].run == g->of->name))
		return NULL;
	struct metric_sample *s = &m->sample[m->n++];
	*s = (struct metric_sample){ .run = g->of->name, .mean = NAN, .sd = NAN, .count = -1 };
	return s;
}

/* Place of an id among those that have one; behind all of them: it is none of these. */
static size_t place(const char *id)
{
	size_t i = 0;

	while (i < COUNT_OF(own) && strcmp(own[i].id, id) != 0)
		i++;
	return i;
}

struct metric_sample *gathering_own(struct gathering *g, const char *id)
{
	size_t i = place(id), beside = place(beside_trace(g, id)), before = g->n;

	assert(i < COUNT_OF(own) && beside < COUNT_OF(own));
	struct metric as = (struct metric){ .title = own[beside].title,
		.unit = own[i].unit,
		.better = own[i].better,
		.is_exact = own[i].is_exact,
		.is_points = own[i].is_points };
	struct metric *m = metric_of(g, id, as);
	if (m && g->n > before && strchr(m->id, '@'))
		m->title = arena_printf(g->mem, "%s, %s", own[i].title, g->source);
	return sample_of(g, m);
}

static struct metric *named(
	struct gathering *g, const char *name, struct span called, enum unit unit)
{
	const struct figure_kind *kind = figure_kind(called, unit);
	const struct metric as = { .title = name,
		.unit = unit,
		.better = kind->better,
		.kind = kind,
		.is_points = unit == UNIT_RATIO && !span_has_nocase(called, "mfu") };

	return metric_of(g, name, as);
}

struct metric_sample *gathering_figure(
	struct gathering *g, const char *name, struct span called, enum unit unit)
{
	return sample_of(g, named(g, name, called, unit));
}

/* One more value of a mean. */
static void add_to_mean(struct metric_sample *x, double v)
{
	double n = (double)x->count, squares = x->count > 1 ? x->sd * x->sd * (n - 1) : 0;
	double delta = v - x->mean;

	x->mean += delta / (n + 1);
	squares += delta * (v - x->mean);
	x->count++;
	x->sd = sqrt(squares / n);
	x->centre = x->mean;
}

struct metric *gathering_value(struct gathering *g, const char *name, struct span called,
	enum unit unit, double v, enum gathering_as as)
{
	struct metric *m = named(g, name, called, unit);
	struct metric_sample *x = sample_of(g, m);

	if (x) {
		x->centre = x->mean = v;
		x->count = 1;
	} else if (m) {
		x = &m->sample[m->n - 1];
		if (as == GATHER_MEAN)
			add_to_mean(x, v);
		else if (as == GATHER_SUM)
			x->centre = x->mean = x->centre + v;
		else if (v > x->centre)
			x->centre = x->mean = v;
	}
	return m;
}

ORDER(compare, struct gathered, compare3(place(a->m.quantity), place(b->m.quantity)),
	compare3(a->source, b->source), span_cmp_natural(span_of(a->m.id), span_of(b->m.id)))

struct metric *gathering_finish(struct gathering *g)
{
	struct metric *v = arena_array(g->mem, g->n, sizeof(*v));

	sort_rows(g->v, g->n, sizeof(*g->v), compare);
	for (size_t i = 0; i < g->n; i++)
		v[i] = g->v[i].m;
	free(g->v);
	strings_clear(&g->keys);
	strings_clear(&g->quantities);
	strings_clear(&g->sources);
	return v;
}
