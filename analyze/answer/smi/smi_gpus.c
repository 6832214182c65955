/* `smi`: samples of each GPU out of a record's series, and figures over them. */
#include <stdio.h>

#include "analyze/answer/smi/smi.h"
#include "analyze/stat/quantile.h"
#include "analyze/trace/columns/record.h"

enum smi_field smi_field_of(struct span name)
{
#define X(id, word) word,
	static const char *const words[] = { SMI_FIELDS(X) };
#undef X

	for (size_t i = 0; i < COUNT_OF(words); i++) {
		size_t n = span_of(words[i]).n;

		if (span_starts(name, words[i]) && (name.n == n || name.p[n] == ' '))
			return (enum smi_field)i;
	}
	if (span_is(name, "clocks.current.sm") || span_starts(name, "clocks.current.sm "))
		return SMI_CLOCK;
	if (span_is(name, "clocks_event_reasons.active")) /* its name since 2023 */
		return SMI_REASONS;
	return SMI_FIELDS_N;
}

static struct smi_gpu *gpu_of(struct smi_gpu *v, size_t *n, struct span group)
{
	for (size_t i = 0; i < *n; i++)
		if (span_eq(v[i].group, group))
			return &v[i];
	v[*n] = (struct smi_gpu){ .group = group, .lead = SMI_FIELDS_N, .interval = NAN };
	return &v[(*n)++];
}

/* The name of the GPU with that index or uuid, or the only one there is. */
static struct span name_of(const struct record *r, struct span group)
{
	const struct sheet *s = record_find_sheet(r, SHEET_GPUS);

	for (size_t i = 0; s && i < s->table.nrow; i++) {
		const union cell *index = table_cell(&s->table, i, GPUS_INDEX);
		const union cell *uuid = table_cell(&s->table, i, GPUS_UUID);
		const union cell *name = table_cell(&s->table, i, GPUS_NAME);
		bool is_it = s->table.nrow == 1 || (uuid && span_eq(uuid->s, group));
		char text[24];

		if (index && snprintf(text, sizeof(text), "%lld", (long long)index->i) > 0)
			is_it |= span_is(group, text);
		if (is_it && name)
			return name->s;
	}
	return SPAN("");
}

/* One field's samples, in base units. */
static void take_field(struct smi_gpu *g, enum smi_field f, struct arena *mem)
{
	const struct series *s = g->series[f];
	double factor = s->measure == MEASURE_MHZ ? 1e6
		: f == SMI_COUNTER                ? 1e-3 /* DCGM counts mJ */
						  : measure_infos[s->measure].factor;
	struct curve *c = &g->curve[f];

	curve_of(c, s, NULL, 0, mem);
	for (size_t i = 0; i < c->n; i++)
		c->y[i] *= factor;
}

bool smi_is_after_pause(const struct smi_gpu *g, size_t i)
{
	const double *x = g->curve[g->lead].x;

	return i > 0 && x[i] - x[i - 1] > SMI_GAP * g->interval;
}

/* Each sample stands for half the time to its neighbours; a pause of more than SMI_GAP usual
 * intervals counts as one interval.  Without times all count alike. */
static void weigh(struct smi_gpu *g, struct arena *mem)
{
	const struct curve *c = &g->curve[g->lead];
	double *gap = arena_array(mem, c->n, sizeof(*gap));

	g->weight = arena_array(mem, c->n, sizeof(*g->weight));
	for (size_t i = 0; i + 1 < c->n; i++)
		gap[i] = c->x[i + 1] - c->x[i];
	g->interval = c->n > 1 ? quantile_median(gap, c->n - 1, mem) : NAN;
	for (size_t i = 0; i + 1 < c->n; i++) {
		if (smi_is_after_pause(g, i + 1)) {
			g->gaps++;
			gap[i] = g->interval;
		}
		g->weight[i] += gap[i] / 2;
		g->weight[i + 1] += gap[i] / 2;
	}
	for (size_t i = 0; i < c->n && (c->n == 1 || !g->is_timed); i++)
		g->weight[i] = 1;
}

static void finish(struct smi_gpu *g, const struct record *r, bool is_trimmed, struct arena *mem)
{
	g->name = name_of(r, g->group);
	for (int f = 0; f < SMI_FIELDS_N; f++) {
		if (!g->series[f])
			continue;
		take_field(g, (enum smi_field)f, mem);
		if (g->lead == SMI_FIELDS_N && g->curve[f].n)
			g->lead = (enum smi_field)f;
	}
	if (g->lead == SMI_FIELDS_N)
		return;
	g->to = g->curve[g->lead].n;
	g->is_timed = g->series[g->lead]->axis == AXIS_TIME;
	weigh(g, mem);
	/* The first and last sample that is not idle; all of them when every one is. */
	if (is_trimmed && g->lead == SMI_UTIL) {
		const struct curve *c = &g->curve[SMI_UTIL];
		size_t to = c->n, from = FIRST(i, to, c->y[i] > SMI_IDLE);
		while (to > from && c->y[to - 1] <= SMI_IDLE)
			to--;
		if (from < to) {
			g->from = from;
			g->to = to;
		}
	}
}

size_t smi_gpus(const struct record *r, bool is_trimmed, struct arena *mem, struct smi_gpu **out)
{
	struct smi_gpu *v = arena_array(mem, r->nseries, sizeof(*v));
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < r->nseries; i++) {
		enum smi_field f = smi_field_of(r->series[i]->name);

		if (f == SMI_FIELDS_N)
			continue;
		struct smi_gpu *g = gpu_of(v, &n, r->series[i]->group);
		if (!g->series[f])
			g->series[f] = r->series[i];
	}
	for (size_t i = 0; i < n; i++) {
		finish(&v[i], r, is_trimmed, mem);
		if (v[i].lead != SMI_FIELDS_N)
			v[kept++] = v[i];
	}
	*out = v;
	return kept;
}

/* The value of a field at the i-th sample of the lead: that of the same time; NaN: none. */
static double value_at(const struct smi_gpu *g, enum smi_field f, size_t i)
{
	const struct curve *c = &g->curve[f];
	double x = g->curve[g->lead].x[i];

	if (i < c->n && c->x[i] == x)
		return c->y[i];
	size_t lo = PARTITION_POINT(k, 0, c->n, c->x[k] < x);
	return lo < c->n && c->x[lo] == x ? c->y[lo] : NAN;
}

/* Weighted sums over the samples that are left. */
struct sums {
	double weight, sum, max;
};

static struct sums sums_of(const struct smi_gpu *g, enum smi_field f)
{
	struct sums s = { 0, 0, NAN };

	if (g->curve[f].n == 0)
		return s;
	for (size_t i = g->from; i < g->to; i++) {
		double v = value_at(g, f, i);

		if (isnan(v))
			continue;
		s.weight += g->weight[i];
		s.sum += v * g->weight[i];
		s.max = MAX(s.max, v);
	}
	return s;
}

static double mean_of(struct sums s)
{
	return s.weight > 0 ? s.sum / s.weight : NAN;
}

static void figures_of_util(struct smi_figures *f, const struct smi_gpu *g, struct arena *mem)
{
	const struct curve *c = &g->curve[SMI_UTIL];
	size_t n = g->to - g->from;
	double *v, total = 0, idle = 0, busy = 0;

	if (g->lead != SMI_UTIL)
		return;
	v = arena_array(mem, n, sizeof(*v));
	for (size_t i = g->from; i < g->to; i++) {
		v[i - g->from] = c->y[i];
		total += g->weight[i];
		idle += c->y[i] <= SMI_IDLE ? g->weight[i] : 0;
		busy += c->y[i] >= SMI_BUSY ? g->weight[i] : 0;
	}
	quantile_sort(v, n);
	f->util = mean_of(sums_of(g, SMI_UTIL));
	f->util_p10 = quantile_sorted(v, n, 0.1);
	f->util_p50 = quantile_sorted(v, n, 0.5);
	f->idle = total > 0 ? idle / total : NAN;
	f->busy = total > 0 ? busy / total : NAN;
}

static void figures_of_memory(struct smi_figures *f, const struct smi_gpu *g, struct arena *mem)
{
	struct sums used = sums_of(g, SMI_USED), total = sums_of(g, SMI_TOTAL);
	struct curve rest = { NULL, NULL, 0, true, 0, 0, NULL, NULL };

	f->used_mean = mean_of(used);
	f->used_peak = used.max;
	f->capacity = total.max;
	if (g->curve[SMI_USED].n == 0)
		return;
	rest.x = arena_array(mem, g->to - g->from, sizeof(*rest.x));
	rest.y = arena_array(mem, g->to - g->from, sizeof(*rest.y));
	for (size_t i = g->from; i < g->to; i++) {
		double v = value_at(g, SMI_USED, i), room = value_at(g, SMI_FREE, i);

		if (isnan(total.max) && v + room > 0 && !(v + room < f->capacity))
			f->capacity = v + room;
		if (isnan(v))
			continue;
		rest.x[rest.n] = g->curve[g->lead].x[i];
		rest.y[rest.n++] = v;
	}
	(void)curve_trend(&f->used, &rest, mem);
	if (!g->is_timed)
		f->used.slope = NAN; /* of a sample, not of a second */
}

/* Of the time the GPU was busy, the share with a clock below 90% of the top. */
static double throttled_share(const struct smi_gpu *g, double top)
{
	double busy = 0, slow = 0;

	for (size_t i = g->from; i < g->to; i++) {
		double clock = value_at(g, SMI_CLOCK, i);

		if (g->lead != SMI_UTIL || g->curve[SMI_UTIL].y[i] < SMI_BUSY || isnan(clock))
			continue;
		busy += g->weight[i];
		slow += clock < 0.9 * top ? g->weight[i] : 0;
	}
	return busy > 0 ? slow / busy : NAN;
}

/* The counter's difference over the samples that are left; NaN: there is none, or it fell back. */
static double counted_energy(const struct smi_gpu *g)
{
	if (g->curve[SMI_COUNTER].n < 2 || g->to - g->from < 2)
		return NAN;
	double from = value_at(g, SMI_COUNTER, g->from);
	double to = value_at(g, SMI_COUNTER, g->to - 1);
	return to >= from ? to - from : NAN;
}

void smi_figures(struct smi_figures *f, const struct smi_gpu *g, struct arena *mem)
{
	struct sums heat = sums_of(g, SMI_TEMPERATURE), power = sums_of(g, SMI_POWER);
	struct sums clock = sums_of(g, SMI_CLOCK), top = sums_of(g, SMI_CLOCK_MAX);

	*f = (struct smi_figures){ .util = NAN,
		.util_p10 = NAN,
		.util_p50 = NAN,
		.idle = NAN,
		.busy = NAN,
		.capacity = NAN,
		.used_peak = NAN,
		.used_mean = NAN };
	for (size_t i = g->from; i < g->to; i++)
		f->seconds += g->weight[i];
	if (!g->is_timed)
		f->seconds = NAN;
	f->used = (struct curve_trend){ .slope = NAN, .p = NAN };
	figures_of_util(f, g, mem);
	figures_of_memory(f, g, mem);
	f->util_memory = mean_of(sums_of(g, SMI_UTIL_MEMORY));
	f->temperature_mean = mean_of(heat);
	f->temperature_max = heat.max;
	f->power_mean = mean_of(power);
	f->power_max = power.max;
	f->power_limit = sums_of(g, SMI_POWER_LIMIT).max;
	/*
	 * Energy by the counter, which missed nothing, else by the mean of the power over the time.
	 */
	const double *x = g->curve[g->lead].x;
	double counted = counted_energy(g);
	f->energy = isnan(counted) ? f->power_mean * f->seconds : counted;
	if (isnan(f->power_mean) && g->is_timed && x[g->to - 1] > x[g->from])
		f->power_mean = counted / (x[g->to - 1] - x[g->from]);
	f->clock_mean = mean_of(clock);
	f->clock_top = isnan(top.max) ? clock.max : top.max;
	f->throttled = throttled_share(g, f->clock_top);
}

double smi_mean_between(const struct smi_gpu *g, enum smi_field field, size_t from, size_t to)
{
	double sum = 0, weight = 0;

	for (size_t i = from; i < to; i++) {
		double v = value_at(g, field, i);

		if (isnan(v))
			continue;
		sum += v * g->weight[i];
		weight += g->weight[i];
	}
	return weight > 0 ? sum / weight : NAN;
}
