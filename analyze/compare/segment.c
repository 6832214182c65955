/* Segments of a history. */
#include "analyze/compare/segment.h"

#include "analyze/stat/quantile.h"
#include "analyze/trace/figure.h"
#include "analyze/trace/history.h"

const struct segment_options segment_usual = { 50, 0.001, 0.01, NULL };

enum metric_better segment_better(const char *id)
{
	enum metric_better better = figure_kind(span_of(id), UNIT_NONE)->better;

	return better == BETTER_NONE ? BETTER_LOWER : better;
}

/* ---- machines ---- */

enum { MACHINES_MAX = 16 };           /* others beyond that are left as they are */
static const double machine_sure = 3; /* standard errors of their difference */

const char *segment_condition(const struct history *h, size_t run, const char *key)
{
	const struct history_run *r = &h->run[run];

	return FIND_VALUE(
		i, r->ncondition, strcmp(r->condition[i].key, key) == 0, r->condition[i].value, "");
}

static bool is_on(
	const struct history *h, const struct segment_series *s, size_t i, const char *host)
{
	return strcmp(segment_condition(h, s->run[i], "host"), host) == 0;
}

/* How far the runs of a machine are from those of `to` next to them in time, in logarithms: the
 * median, which a change of all machines' level does not move.  0: too few, or it may be noise. */
static double machine_level(const struct segment_series *s, const struct history *h,
	const char *host, const char *to, struct arena *mem)
{
	double *d = arena_array(mem, s->n, sizeof(*d));
	size_t n = 0, last = SIZE_MAX, next = 0, nto = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (is_on(h, s, i, to)) {
			last = i;
			nto++;
		}
		if (!is_on(h, s, i, host))
			continue;
		next = MAX(next, i);
		next = FIRST_FROM(k, next, s->n, is_on(h, s, k, to));
		if (last == SIZE_MAX && next == s->n)
			return 0;
		size_t by = last == SIZE_MAX || (next < s->n && next - i < i - last) ? next : last;
		d[n++] = log(s->v[i] / s->v[by]);
	}
	if (n < MACHINE_RUNS || nto < MACHINE_RUNS)
		return 0;
	double level = quantile_median(d, n, mem);
	for (size_t i = 0; i < n; i++)
		d[i] = fabs(d[i] - level);
	double error = 1.4826 * quantile_median(d, n, mem) * 1.2533 / sqrt((double)n);
	return fabs(level) > machine_sure * error ? level : 0;
}

/* Runs of other machines as if they were of that one, where they differ for sure. */
static void level_machines(
	struct segment_series *s, const struct history *h, const char *to, struct arena *mem)
{
	bool *is_done = arena_array(mem, s->n, sizeof(*is_done));
	size_t machines = 0;

	if (s->is_exact || s->is_points || ANY(i, s->n, !(s->v[i] > 0)))
		return;
	FILL(is_done, s->n, false);
	for (size_t i = 0; i < s->n; i++) {
		const char *host = segment_condition(h, s->run[i], "host");

		if (is_done[i] || !*host || strcmp(host, to) == 0)
			continue;
		if (machines++ == MACHINES_MAX)
			return;
		double level = machine_level(s, h, host, to, mem);
		for (size_t k = i; k < s->n; k++)
			if (!is_done[k] && is_on(h, s, k, host)) {
				s->v[k] *= exp(-level);
				is_done[k] = true;
			}
	}
}

void segment_series(struct segment_series *s, const struct history *h, size_t metric,
	const struct segment_options *o, struct arena *mem)
{
	const struct history_metric *m = &h->metric[metric];
	const struct changepoint_options how = { o->window, o->alpha, o->min_change };

	*s = (struct segment_series){ .id = m->id,
		.unit = m->unit,
		.better = m->better ? (enum metric_better)m->better : segment_better(m->id),
		.is_exact = m->is_exact,
		.is_points = m->is_points };
	s->v = arena_array(mem, h->nrun, sizeof(*s->v));
	s->run = arena_array(mem, h->nrun, sizeof(*s->run));
	for (size_t i = 0; i < h->nrun; i++) {
		double v = history_get(h, i, metric).centre;

		if (isnan(v))
			continue;
		if (h->run[i].accepted) {
			s->accepted = s->n;
			s->npinned = 0;
		}
		if (h->run[i].is_pinned && s->npinned == 0)
			s->pinned = s->n;
		s->npinned += h->run[i].is_pinned && s->pinned + s->npinned == s->n;
		s->v[s->n] = v;
		s->run[s->n++] = i;
	}
	if (s->npinned == 0)
		s->pinned = s->n;
	if (o->host)
		level_machines(s, h, o->host, mem);
	if (s->n >= SEGMENT_LEAST)
		s->point = changepoint_find(s->v, s->n, &how, &s->npoint, mem);
}

bool segment_is_solid(const struct segment_series *s, const struct changepoint *c, double alpha)
{
	return c->p * (double)s->n < alpha;
}

size_t segment_begin(const struct segment_series *s, size_t n, double alpha)
{
	size_t begin = s->accepted < n ? s->accepted : 0;

	for (size_t i = 0; i < s->npoint && s->point[i].at < n; i++)
		if (s->point[i].at > begin && segment_is_solid(s, &s->point[i], alpha))
			begin = s->point[i].at;
	return begin;
}

/* Sum of squares of v[from..to) around their mean. */
static double squares(const struct segment_series *s, size_t from, size_t to, bool is_log)
{
	double mean = 0, sum = 0;

	for (size_t i = from; i < to; i++)
		mean += (is_log ? log(s->v[i]) : s->v[i]) / (double)(to - from);
	for (size_t i = from; i < to; i++) {
		double d = (is_log ? log(s->v[i]) : s->v[i]) - mean;

		sum += d * d;
	}
	return sum;
}

double segment_noise(const struct segment_series *s, double alpha, bool is_log, double *df)
{
	static const double rounding = 1e-12; /* of values that are all the same */
	enum { DF_LEAST = 4 };
	size_t to = s->n, least = s->n > SEGMENT_NOISE ? s->n - SEGMENT_NOISE : 0;
	double sum = 0;

	*df = 0;
	while (to > least) {
		size_t from = segment_begin(s, to, alpha);

		from = MAX(from, least);
		sum += squares(s, from, to, is_log);
		*df += (double)(to - from - 1);
		to = from;
	}
	if (*df < DF_LEAST || isnan(sum))
		return NAN;
	return sqrt(sum / *df) > rounding ? sqrt(sum / *df) : 0;
}

enum { LEVEL_RUNS = 5 }; /* fewer runs are no level to hold others against */

size_t segment_reference(const struct segment_series *s, size_t from, double alpha, size_t *runs)
{
	size_t begin = MAX(s->accepted, from);
	double sign = s->better == BETTER_HIGHER ? -1 : 1, best = INFINITY;

	*runs = s->npinned;
	if (s->npinned > 0)
		return s->pinned;
	for (size_t i = 0; i < s->npoint; i++) {
		const struct changepoint *c = &s->point[i];
		size_t to = i + 1 < s->npoint ? s->point[i + 1].at : s->n;

		if (c->at <= begin)
			continue;
		if (isinf(best))
			best = sign * c->before;
		if (segment_is_solid(s, c, alpha) && to - c->at >= LEVEL_RUNS &&
			sign * c->after < best) {
			begin = c->at;
			best = sign * c->after;
		}
	}
	return begin;
}

static void add_metric(struct metricset *set, const struct history *h, size_t at,
	const struct segment_options *o, struct arena *mem)
{
	struct metric *m = &set->v[set->n];
	struct segment_series s;

	segment_series(&s, h, at, o, mem);
	if (s.n == 0)
		return;
	*m = (struct metric){
		.id = s.id,
		.title = s.id,
		.unit = s.unit,
		.better = s.better,
		.is_exact = s.is_exact,
		.is_points = s.is_points,
		.is_mean = !h->metric[at].is_median,
		.sample = arena_array(mem, s.n, sizeof(*m->sample)),
	};
	size_t i = segment_begin(&s, s.n - 1, o->alpha); /* one run is no level */
	if (s.accepted > i)                              /* unless somebody said so */
		i = s.accepted;
	for (; i < s.n; i++) {
		struct history_value v = history_get(h, s.run[i], at);

		m->sample[m->n++] = (struct metric_sample){ .run = h->run[s.run[i]].label,
			.centre = s.v[i],
			.sd = v.sd,
			.count = v.count };
	}
	set->n++;
}

void segment_metricset(struct metricset *m, const struct history *h,
	const struct segment_options *o, struct arena *mem)
{
	m->v = arena_array(mem, h->nmetric, sizeof(*m->v));
	m->n = 0;
	for (size_t i = 0; i < h->nmetric; i++)
		add_metric(m, h, i, o, mem);
}
