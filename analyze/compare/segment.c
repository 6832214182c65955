/*
 * Segments of a history.
 */
#include "analyze/compare/segment.h"

#include <math.h>
#include <string.h>

#include "analyze/trace/history.h"
#include "base/compiler.h"

enum metric_better segment_better(const char *id)
{
	static const char *const more[] = { "per_sec", "throughput", "tokens", "tps", "busy",
		"util", "accuracy", "reward", "f1", "mfu", "speedup" };
	size_t i;

	for (i = 0; i < COUNT_OF(more); i++)
		if (span_has_nocase(span_of(id), more[i]))
			return BETTER_HIGHER;
	return BETTER_LOWER;
}

void segment_series(struct segment_series *s, const struct history *h, size_t metric,
	const struct segment_options *o, struct arena *mem)
{
	const struct history_metric *m = &h->metric[metric];
	const struct changepoint_options how = { o->window, o->alpha, o->min_change };
	size_t i;

	*s = (struct segment_series){ .id = m->id,
		.unit = m->unit,
		.better = m->better ? (enum metric_better)m->better : segment_better(m->id),
		.is_exact = m->is_exact,
		.is_points = m->is_points };
	s->v = arena_array(mem, h->nrun, sizeof(*s->v));
	s->run = arena_array(mem, h->nrun, sizeof(*s->run));
	for (i = 0; i < h->nrun; i++) {
		double v = history_get(h, i, metric).centre;

		if (isnan(v))
			continue;
		if (h->run[i].accepted)
			s->accepted = s->n;
		s->v[s->n] = v;
		s->run[s->n++] = i;
	}
	if (s->n >= SEGMENT_LEAST)
		s->point = changepoint_find(s->v, s->n, &how, &s->npoint, mem);
}

size_t segment_begin(const struct segment_series *s, size_t n)
{
	size_t i, begin = s->accepted < n ? s->accepted : 0;

	for (i = 0; i < s->npoint && s->point[i].at < n; i++)
		begin = s->point[i].at > begin ? s->point[i].at : begin;
	return begin;
}

static void add_metric(struct metricset *set, const struct history *h, size_t at,
	const struct segment_options *o, struct arena *mem)
{
	struct metric *m = &set->v[set->n];
	struct segment_series s;
	size_t i;

	segment_series(&s, h, at, o, mem);
	if (s.n == 0)
		return;
	*m = (struct metric){ .id = s.id,
		.title = s.id,
		.unit = s.unit,
		.better = s.better,
		.is_exact = s.is_exact,
		.is_points = s.is_points };
	m->sample = arena_array(mem, s.n, sizeof(*m->sample));
	i = segment_begin(&s, s.n - 1); /* one run is no level */
	if (s.accepted > i)             /* unless somebody said so */
		i = s.accepted;
	for (; i < s.n; i++) {
		struct history_value v = history_get(h, s.run[i], at);

		m->sample[m->n++] = (struct metric_sample){ .run = h->run[s.run[i]].label,
			.centre = v.centre,
			.sd = v.sd,
			.count = v.count };
	}
	set->n++;
}

void segment_metricset(struct metricset *m, const struct history *h,
	const struct segment_options *o, struct arena *mem)
{
	size_t i;

	m->v = arena_array(mem, h->nmetric, sizeof(*m->v));
	m->n = 0;
	for (i = 0; i < h->nmetric; i++)
		add_metric(m, h, i, o, mem);
}
