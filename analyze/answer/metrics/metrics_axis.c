/*
 * `metrics --x`: values over tokens or seconds instead of steps.
 */
#include <string.h>

#include "analyze/answer/metrics/metrics.h"
#include "analyze/trace/columns/record.h"

/* The first series of that role that has values. */
static const struct series *series_of(const struct record *r, enum metric_role role)
{
	size_t i;

	for (i = 0; i < r->nseries; i++)
		if (r->series[i]->n && metric_role(r->series[i]->name) == role)
			return r->series[i];
	return NULL;
}

/* Seconds since the begin, by the sum of step times. */
static void add_up(struct curve *c, double factor)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < c->n; i++) {
		sum += c->y[i] * factor / 1e9;
		c->y[i] = sum;
	}
}

enum status metrics_axis_init(struct metrics *m)
{
	const struct record *r = m->at->record;
	const char *x = m->o->x;
	const struct series *s = NULL;
	bool is_sum = false;

	if (!x || strcmp(x, "step") == 0)
		return OK;
	if (strcmp(x, "tokens") == 0) {
		s = series_of(r, ROLE_TOKENS);
	} else {
		s = series_of(r, ROLE_CLOCK);
		is_sum = !s;
		if (!s)
			s = series_of(r, ROLE_STEP_TIME);
	}
	if (!s) {
		err_set(m->at->e, E_NODATA, -1, "no series says %s, which --x %s needs",
			strcmp(x, "tokens") == 0 ? "how many tokens were seen"
						 : "the time or how long steps took",
			x);
		return err_hint(m->at->e, "such as num_tokens, timestamp or step_time");
	}
	m->axis = arena_alloc(&m->at->mem, sizeof(*m->axis));
	curve_of(m->axis, s, NULL, 0, &m->at->mem);
	if (is_sum)
		add_up(m->axis,
			measure_infos[s->measure == MEASURE_NONE ? MEASURE_S : s->measure].factor);
	return OK;
}

/* The axis' value at step x, between its neighbours by a straight line; its ends beyond them. */
static double place_of(const struct curve *axis, double x, size_t *at)
{
	double share;

	while (*at < axis->n && axis->x[*at] < x)
		++*at;
	if (*at == axis->n)
		return axis->y[axis->n - 1];
	if (*at == 0 || axis->x[*at] == x)
		return axis->y[*at];
	share = (x - axis->x[*at - 1]) / (axis->x[*at] - axis->x[*at - 1]);
	return axis->y[*at - 1] + share * (axis->y[*at] - axis->y[*at - 1]);
}

void metrics_axis_apply(const struct metrics *m, struct curve *c)
{
	size_t i, at = 0;

	for (i = 0; m->axis && m->axis->n && i < c->n; i++)
		c->x[i] = place_of(m->axis, c->x[i], &at);
}
