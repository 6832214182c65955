/* Metrics of series: what of their values is the figure that is compared. */
#include "analyze/compare/change.h"
#include "analyze/compare/metricset_gather.h"
#include "analyze/measure/memory/memtrend.h"
#include "analyze/trace/figure.h"
#include "analyze/stat/quantile.h"
#include "analyze/stat/welch.h"
#include "analyze/trace/columns/record.h"

enum { WINDOW = 100, WINDOW_SHARE = 10, DIVERGED_MIN = 20 };
static const double DIVERGED = 1.5; /* the end over the lowest tenth: rlhf-canary's factor */

/* The series' values in base units and in order: all of them, or the last ones of a long one. */
static double *values(
	const struct series *s, int64_t warmup, enum measure measure, size_t *n, struct arena *mem)
{
	size_t want = series_is_exact(s) ? (size_t)s->n : (size_t)SERIES_LAST;
	bool warms_up = series_is_exact(s) && s->axis != AXIS_REPEAT;
	size_t from = warms_up && warmup > 0 && warmup < s->n ? (size_t)warmup : 0;
	struct point *p = arena_array(mem, want, sizeof(*p));
	double *v = arena_array(mem, want, sizeof(*v));

	*n = series_last(s, want, p);
	from = from < *n ? from : 0;
	for (size_t i = from; i < *n; i++)
		v[i - from] = measure_base(measure, p[i].y);
	*n -= from;
	return v;
}

static double harmonic(const double *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (!(v[i] > 0))
			return NAN;
		sum += 1 / v[i];
	}
	return (double)n / sum;
}

/* How a role's values become one figure. */
enum figure { FIGURE_END, FIGURE_MEDIAN, FIGURE_RATE, FIGURE_MOST, FIGURE_MEAN };

/* Whether it was measured by the clock, or by a monitor that says no time: readings of a device, of
 * which no end is the figure. */
static bool is_reading(const struct gathering *g, const struct series *s)
{
	return s->group.n > 0 && (s->axis == AXIS_TIME || span_starts(span_of(g->source), "smi_"));
}

static enum figure figure_of(
	const struct gathering *g, const struct series *s, enum metric_role role, enum unit unit)
{
	const struct figure_kind *k = figure_kind(s->name, unit);

	if (is_reading(g, s))
		return FIGURE_MEAN;
	if (s->axis == AXIS_REPEAT)
		return FIGURE_MEDIAN;
	switch (role) {
	case ROLE_TOKENS_PER_S:
	case ROLE_THROUGHPUT:
	case ROLE_SAMPLES_PER_S: return FIGURE_RATE;
	case ROLE_ALLOCATED:
	case ROLE_RESERVED: return FIGURE_MOST;
	default:
		return unit == UNIT_NS                              ? FIGURE_MEDIAN
			: k->is_speed && k->better == BETTER_HIGHER ? FIGURE_RATE
								    : FIGURE_END;
	}
}

static void fill_sample(
	struct metric_sample *x, double *v, size_t n, enum figure how, struct arena *mem)
{
	size_t last = n / WINDOW_SHARE;
	struct moments all = welch_moments(v, n);

	last = CLAMP(last, 1, WINDOW);
	last = MIN(last, n);
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
		for (size_t i = 1; i < n; i++)
			x->centre = MAX(v[i], x->centre);
		x->v = NULL;
		x->n = 0;
		x->count = 1;
	} else if (how == FIGURE_MEAN) {
		x->centre = all.mean;
	} else {
		x->v = v + n - last;
		x->n = last;
		all = welch_moments(x->v, last);
		x->centre = all.mean;
		x->count = (int64_t)last;
		x->steps = (int64_t)n;
	}
	x->sd = sqrt(all.variance);
}

static const char *name_of(const struct series *s, struct arena *mem)
{
	if (s->group.n == 0)
		return arena_copy(mem, s->name.p, s->name.n);
	if (s->axis == AXIS_REPEAT) /* what was measured may be long, and is before the figure */
		return arena_printf(
			mem, "%.*s/%.*s", (int)s->group.n, s->group.p, (int)s->name.n, s->name.p);
	return arena_printf(
		mem, "%.*s (%.*s)", (int)s->name.n, s->name.p, (int)s->group.n, s->group.p);
}

/* The id a role gives; NULL: the series' own name. */
static const char *id_of(enum metric_role role, const struct series *s, bool is_policy)
{
	if (metric_role_id(role))
		return metric_role_id(role);
	return span_is(s->name, "stability.loss_values") ||
			(!is_policy &&
				span_in(s->name, "loss|train_loss|train/loss|total_loss|losses"))
		? "loss_final"
		: NULL;
}

/*
 * The end of a loss that rose and stayed up: its last tenth above DIVERGED times the lowest tenth.
 */
static void add_divergence(struct gathering *g, const double *v, size_t n)
{
	size_t tenth = n / WINDOW_SHARE;
	double lowest = INFINITY, end = 0;

	if (n < DIVERGED_MIN)
		return;
	for (size_t i = 0; i + tenth <= n; i += tenth) {
		end = welch_moments(v + (i + 2 * tenth > n ? n - tenth : i), tenth).mean;
		lowest = MIN(end, lowest);
	}
	struct metric_sample *x = lowest > 0 ? gathering_own(g, "loss_diverged") : NULL;
	if (x) {
		x->centre = x->mean = end > DIVERGED * lowest || x->centre > 0; /* or it says so */
		x->count = 1;
	}
}

/* What only counts or clocks the run is no figure of it. */
static bool is_kept(enum metric_role role, struct span name)
{
	if (span_in_nocase(name, "step|global_step|epoch|iteration|iter"))
		return false;
	return role != ROLE_CLOCK && role != ROLE_TOKENS && role != ROLE_RATE;
}

/* What only counts upwards, by whole numbers, says how far the run came. */
static bool counts_up(const struct series *s, struct arena *mem)
{
	size_t n;
	double *v = values(s, 0, MEASURE_NONE, &n, mem);

	for (size_t i = 0; i < n; i++)
		if (v[i] != floor(v[i]))
			return false;
	return n >= CHANGE_STEPS_MIN && series_rises(s);
}

/* What steps that are longer now and then cost, beside the median of them. */
static void add_uneven(struct gathering *g, const double *v, size_t n)
{
	double *of = arena_array(g->mem, n, sizeof(*of));

	memcpy(of, v, n * sizeof(*of));
	n = quantile_above(of, n, quantile_median(v, n, g->mem));
	struct metric_sample *x = n > 0 ? gathering_own(g, METRIC_UNEVEN) : NULL;
	if (!x)
		return;
	x->v = of;
	(void)metric_sample_sum(x, n, true, g->mem);
}

void gathering_series(struct gathering *g, const struct series *s, int64_t warmup)
{
	enum metric_role role = metric_role(s->name);
	enum measure measure = measure_or_usual(s->measure, s->name);
	enum unit unit = measure_infos[measure].base;
	bool is_policy = g->is_policy && role == ROLE_LOSS;
	const char *id = id_of(role, s, is_policy);
	size_t n;

	if (series_is_duration(s)) {
		measure = s->measure == MEASURE_NONE ? MEASURE_S : measure;
		unit = measure_infos[measure].base;
	} else if (s->n == 0 || !is_kept(role, s->name)) {
		return;
	}
	struct metric_sample *x = id ? gathering_own(g, id) : NULL;
	bool is_own = x != NULL;
	bool is_loss = is_own && strcmp(id, "loss_final") == 0;
	bool is_count = !is_own && role == ROLE_OTHER && counts_up(s, g->mem);
	if (!x) /* another one of them has the id */
		x = gathering_figure(g, name_of(s, g->mem),
			is_count            ? SPAN("count")
				: is_policy ? SPAN("policy loss")
					    : s->name,
			unit);
	if (!x)
		return;
	double *v = values(s, warmup, measure, &n, g->mem);
	fill_sample(x, v, n, figure_of(g, s, role, unit), g->mem);
	if (!is_own && x->n < CHANGE_STEPS_MIN) { /* so few are one figure */
		x->v = NULL;
		x->n = 0;
		x->count = 1;
	}
	if (is_loss)
		add_divergence(g, v, n);
	if (is_own && strcmp(id, "step_time") == 0 && s->axis != AXIS_REPEAT)
		add_uneven(g, v, n);
}

/* ---- leaks ---- */

/* The sign of a series of bytes that are allocated; UNKNOWN for any other. */
static enum memtrend_sign sign_of_series(const struct series *s, struct arena *mem)
{
	const struct measure_info *measure = &measure_infos[s->measure];
	struct memtrend t;
	struct curve c;
	double peak = 0;

	if (measure->base != UNIT_BYTES || memtrend_is_maximum(s->name))
		return MEMTREND_UNKNOWN;
	curve_of(&c, s, NULL, 0, mem);
	for (size_t i = 0; i < c.n; i++) {
		c.y[i] *= measure->factor;
		peak = MAX(c.y[i], peak);
	}
	if (c.n == 0)
		return MEMTREND_UNKNOWN;
	if (metric_role(s->name) != ROLE_ALLOCATED)
		return memtrend_is_unnamed_leak(s, &c, peak, mem) ? MEMTREND_LEAK
								  : MEMTREND_UNKNOWN;
	memtrend_of(&t, &c, peak, false, false, mem);
	return t.sign;
}

static enum memtrend_sign sign_of_sheet(const struct record *r, struct arena *mem)
{
	const struct sheet *s = record_find_sheet(r, SHEET_MEMORY);
	struct memtrend t;
	struct curve c;
	double peak;

	if (!s)
		return MEMTREND_UNKNOWN;
	memtrend_column(&c, &peak, &s->table, TAKEN_ALLOCATED, TAKEN_MAX_ALLOCATED, mem);
	if (c.n == 0)
		return MEMTREND_UNKNOWN;
	memtrend_of(&t, &c, peak, false, false, mem);
	return t.sign;
}

void gathering_leak(struct gathering *g, const struct record *r)
{
	enum memtrend_sign found = MEMTREND_UNKNOWN;
	struct arena mem = { 0 };
	struct metric_sample *x;

	for (size_t i = 0; i < r->nseries && found != MEMTREND_LEAK; i++) {
		enum memtrend_sign one = sign_of_series(r->series[i], &mem);

		found = one != MEMTREND_UNKNOWN ? one : found;
	}
	if (found == MEMTREND_UNKNOWN)
		found = sign_of_sheet(r, &mem);
	arena_clear(&mem);
	if (found == MEMTREND_UNKNOWN || !(x = gathering_own(g, "leak")))
		return;
	x->centre = x->mean = found == MEMTREND_LEAK;
	x->count = 1;
}

/* ---- samples ---- */

struct metric_sample metric_sample_one(const char *run, double v)
{
	return (struct metric_sample){ .run = run, .centre = v, .mean = v, .sd = NAN, .count = 1 };
}

bool metric_sample_sum(struct metric_sample *x, size_t n, bool is_mean, struct arena *mem)
{
	struct moments of = welch_moments(x->v, n);

	x->n = n;
	if (n == 0)
		return false;
	x->centre = is_mean ? of.mean : quantile_median(x->v, n, mem);
	x->mean = of.mean;
	x->sd = sqrt(of.variance);
	x->count = (int64_t)n;
	return true;
}
