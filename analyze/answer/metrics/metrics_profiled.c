/* `metrics`: profiling results of one epoch after the other, as profiling_epoch0.json and so on;
 * and what profiling itself costs. */
#include "analyze/answer/metrics/metrics.h"
#include "analyze/stat/kendall.h"
#include "analyze/stat/line.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"
#include "analyze/trace/columns/sheet.h"

enum { EPOCHS_LEAST = 2, P_LEAST = 4, SURE_LEAST = 5, TIMERS_MAX = 40, EPOCH_MOST = 1000000 };
static const double P_SURE = 0.05;

struct epoch {
	int artifact;
	int64_t number;
};

struct epochs {
	struct metrics *m;
	struct lazy_table to;
	struct epoch *v; /* by number */
	size_t n;
};

/* A figure of each epoch that has it. */
struct figures {
	const char *what;
	enum unit unit;
	int worse; /* 1: more is worse, -1: less is, 0: neither */
	double *x, *y;
	size_t n;
	double change, p; /* of the last over the first, less 1; of a trend: NaN with few */
};

/* N of "profiling_epoch{N}.json", -1: the name says none. */
static int64_t epoch_of(const char *path)
{
	const char *at = strstr(path_name(path), "epoch");
	int64_t n = -1;

	if (!at)
		return -1;
	at += strlen("epoch");
	at += *at == '_' || *at == '-';
	for (; *at >= '0' && *at <= '9' && n < EPOCH_MOST; at++)
		n = MAX(0, n) * 10 + (*at - '0');
	return n;
}

ORDER(by_number, struct epoch, compare3(a->number, b->number), a->artifact - b->artifact)

static void find_epochs(struct epochs *e)
{
	const struct record *r = e->m->at->record;

	e->v = arena_array(&e->m->at->mem, r->nartifact + 1, sizeof(*e->v));
	for (size_t i = 0; i < r->nartifact; i++) {
		int64_t number = epoch_of(r->artifact[i].path);

		if (strcmp(r->artifact[i].kind, "profile") == 0 && number >= 0)
			e->v[e->n++] = (struct epoch){ (int)i, number };
	}
	qsort(e->v, e->n, sizeof(*e->v), by_number);
}

/* It rises (falls) in each epoch, or by the test where there are enough. */
static bool is_sure(const struct figures *f)
{
	if (f->n >= SURE_LEAST)
		return f->p < P_SURE;
	for (size_t i = 1; i < f->n; i++)
		if (f->worse * (f->y[i] - f->y[i - 1]) <= 0)
			return false;
	return true;
}

static void check_epochs(struct look *look)
{
	const struct figures *f = look->what;

	if (f->worse * f->change > look_limit(look, "D22.growth") && is_sure(f))
		metrics_found(look, span_of(f->what), "%s %+.1f%% from epoch %.0f to epoch %.0f",
			f->what, 100 * f->change, f->x[0], f->x[f->n - 1]);
}

RULE(D22, "creeps over epochs",
	"Profiling results of one epoch after the other: a time or a peak of memory ends more than "
	"10% above where it began, and rises in each epoch, or, of 5 and more, with p below 0.05 "
	"(Mann-Kendall); rates likewise, falling.",
	"Profiling & Metrics, profiling_epoch{N}.json", .severity = SEVERITY_WARN,
	.advice = "compare the first and the last epoch's traces",
	.limits = LIMITS(
		LIMIT("metrics.D22.growth", RATIO, "10%", "growth over epochs: from this on")),
	.about = ABOUT_EPOCHS, .series = check_epochs)

static void put_figures(struct epochs *e, struct figures *f)
{
	struct arena *mem = &e->m->at->mem;
	struct curve c = { f->x, f->y, f->n, true, 0, 0, NULL, NULL };

	if (f->n < EPOCHS_LEAST)
		return;
	double first = f->y[0];
	f->change = f->y[f->n - 1] / first - 1;
	f->p = f->n >= P_LEAST ? kendall_trend(f->y, f->n, mem).p : NAN;
	struct table *t = lazy_table(&e->to);
	table_row(t);
	table_unit(t, f->unit);
	TABLE_CELLS(t, [MEPOCH_WHAT] = cell_word(f->what), [MEPOCH_N] = cell_size(f->n),
		[MEPOCH_FIRST] = cell_real(first), [MEPOCH_LAST] = cell_real(f->y[f->n - 1]),
		[MEPOCH_CHANGE] = cell_real(f->change),
		[MEPOCH_SLOPE] = cell_real(theilsen_fit(f->x, f->y, f->n, 0.95, mem).slope),
		[MEPOCH_P] = cell_real(f->p),
		[MEPOCH_SPARK] = CELL_IF(e->m->at->q->for_people,
			cell_text(curve_spark(&c, CURVE_SPARK, &e->m->at->out->mem))));
	metrics_ask(e->m, ABOUT_EPOCHS, f);
}

static struct figures *figures_new(
	const struct epochs *e, const char *what, enum unit unit, int worse)
{
	struct arena *mem = &e->m->at->mem;
	struct figures *f = arena_alloc(mem, sizeof(*f));

	*f = (struct figures){ .what = what, .unit = unit, .worse = worse };
	f->x = arena_array(mem, e->n, sizeof(double));
	f->y = arena_array(mem, e->n, sizeof(double));
	return f;
}

static void add(struct figures *f, const struct epoch *at, double v)
{
	if (isnan(v))
		return;
	f->x[f->n] = (double)at->number;
	f->y[f->n++] = v;
}

static double scalar_of(const struct record *r, int artifact, const char *key)
{
	for (size_t i = 0; i < r->scalars.n; i++)
		if (r->scalars.v[i].artifact == artifact && span_is(r->scalars.v[i].key, key))
			return scalar_number(&r->scalars.v[i]);
	return NAN;
}

static const struct table *stages_of(const struct record *r, int artifact)
{
	const struct sheet *s = record_sheet_of(r, artifact, SHEET_STAGES);

	return s ? &s->table : NULL;
}

static double mean_of(const struct table *t, struct span stage)
{
	return FIND_VALUE(i, t ? t->nrow : 0, span_eq(table_text_at(t, i, STAGES_NAME), stage),
		table_number_at(t, i, STAGES_MEAN), NAN);
}

/* The timers of the first epoch, each over all. */
static void put_timers(struct epochs *e)
{
	const struct record *r = e->m->at->record;
	const struct table *first = stages_of(r, e->v[0].artifact);

	for (size_t row = 0; first && row < first->nrow && row < TIMERS_MAX; row++) {
		struct span name = table_text_at(first, row, STAGES_NAME);
		struct figures *f = figures_new(e,
			arena_printf(
				&e->m->at->out->mem, "timing.%.*s.mean_sec", (int)name.n, name.p),
			UNIT_NS, 1);

		for (size_t i = 0; i < e->n; i++)
			add(f, &e->v[i], mean_of(stages_of(r, e->v[i].artifact), name));
		put_figures(e, f);
	}
}

void metrics_put_epochs(struct metrics *m)
{
	static const struct {
		const char *key;
		enum measure measure;
		int worse;
	} keys[] = {
		{ "throughput.samples_per_sec", MEASURE_NONE, -1 },
		{ "throughput.tokens_per_sec", MEASURE_NONE, -1 },
		{ "memory.peak_allocated_gb", MEASURE_GIB, 1 },
		{ "memory.mean_allocated_gb", MEASURE_GIB, 1 },
		{ "memory.peak_reserved_gb", MEASURE_GIB, 1 },
	};
	struct epochs e = { .m = m, .to = { m->at, &metrics_docs[METRICS_TABLE_EPOCHS], NULL } };

	find_epochs(&e);
	if (e.n < EPOCHS_LEAST)
		return;
	put_timers(&e);
	for (size_t k = 0; k < COUNT_OF(keys); k++) {
		const struct measure_info *unit = &measure_infos[keys[k].measure];
		struct figures *f = figures_new(&e, keys[k].key, unit->base, keys[k].worse);

		for (EACH(const struct epoch, epoch, e.v, e.n))
			add(f, epoch,
				scalar_of(m->at->record, epoch->artifact, keys[k].key) *
					unit->factor);
		put_figures(&e, f);
	}
}

/* ---- what profiling costs ---- */

static const double SYNC_NS = 1e5; /* 0.1 ms a measurement, say the documents */

/* Measurements that timers of a file took, and the time they were taken in; 0: no timers. */
static double measurements(const struct record *r, int artifact, double *ns)
{
	const struct table *t = stages_of(r, artifact);
	double n = 0, mean = NAN, calls;

	*ns = scalar_of(r, artifact, "total_runtime_sec") * 1e9;
	for (size_t i = 0; t && i < t->nrow; i++) {
		const union cell *c = table_cell(t, i, STAGES_CALLS);

		calls = c ? (double)c->i : 0;
		n += calls;
		if (!span_is(table_text_at(t, i, STAGES_NAME), "iteration"))
			continue;
		mean = table_number_at(t, i, STAGES_MEAN);
		*ns = isnan(*ns) ? mean * calls : *ns;
	}
	return n;
}

static void say_timers(const struct metrics *m, int artifact)
{
	const struct record *r = m->at->record;
	double ns, n = measurements(r, artifact, &ns), share = n * SYNC_NS / ns;

	if (!(n > 0) || !(ns > 0))
		return;
	result_note(m->at->out, NOTE_INFO, "profiler_overhead", m->at->input, saturate_whole(n),
		"%.0f timings at about 0.1 ms each (the guides' figure) are %.2f%% of the time, "
		"%s the 1%% they promise",
		n, 100 * share, share < 0.01 ? "below" : "above");
}

void metrics_say_overhead(const struct metrics *m)
{
	const struct record *r = m->at->record;
	const struct scalar *on = record_find(&r->config, "profiler.enabled");
	bool is_profiled = on && on->type == SCALAR_BOOL && on->number > 0;
	size_t timers = 0;

	for (size_t i = 0; i < r->scalars.n; i++)
		is_profiled = is_profiled ||
			(span_starts(r->scalars.v[i].key, "profiler.cpu_time_total") &&
				r->scalars.v[i].type == SCALAR_NUMBER);
	if (is_profiled)
		result_note(m->at->out, NOTE_INFO, "profiler_overhead", m->at->input, -1,
			"the run was profiled: step times hold what that costs, about 5%% by the "
			"guides");
	for (size_t i = 0; i < r->nartifact; i++)
		if (strcmp(r->artifact[i].kind, "profile") == 0 && timers++ == 0)
			say_timers(m, (int)i);
}
