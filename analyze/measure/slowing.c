/*
 * Steps that get slower: by a jump, or by creeping.
 */
#include "analyze/measure/slowing.h"

#include <math.h>

#include "analyze/measure/curve.h"
#include "analyze/stat/autocorr.h"
#include "analyze/stat/drift.h"
#include "analyze/stat/law.h"
#include "analyze/stat/welch.h"
#include "base/arena.h"
#include "base/minmax.h"

static const double P_FOUND = 0.001;

/* Where a slope begins: the first value that is off the old level. */
static double begin_of(const struct curve *c, double least)
{
	const struct drift_options o = { .alpha = P_FOUND, .least = least };
	size_t n = MIN(c->n, DRIFT_MOST);
	struct drift d = drift_find(c->y, n, &o);

	return d.is_found && d.since < c->n ? c->x[d.since] : c->x[0];
}

/*
 * Of no jump at `at`: Welch's test with as many values as are independent of their neighbours,
 * times the places it was chosen among.
 */
static double jump_p(const struct curve *c, size_t at, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	double *rest = arena_array(mem, c->n, sizeof(*rest)), tau;
	struct moments m0 = welch_moments(c->y, at), m1 = welch_moments(c->y + at, c->n - at);
	struct welch w = welch_test(&m0, &m1, 0.95);

	for (size_t i = 0; i < c->n; i++)
		rest[i] = c->y[i] - (i < at ? m0.mean : m1.mean);
	tau = autocorr_of(rest, c->n).tau;
	arena_reset(mem, mark);
	return fmin(1, 2 * (double)c->n * law_t_above(fabs(w.t) / sqrt(tau), fmax(1, w.df / tau)));
}

void slowing_of(struct slowing *s, const struct curve *c, double least, struct arena *mem)
{
	struct curve_trend t;
	struct curve_jump j;
	size_t fifth = c->n / 5;

	*s = (struct slowing){ .from = NAN, .to = NAN, .x = NAN, .p = NAN, .slope = NAN };
	if (c->n < SLOWING_LEAST || !curve_trend(&t, c, mem))
		return;
	s->is_known = true;
	curve_jump(&j, c, mem);
	if (j.explains && j.size > 0)
		s->p = jump_p(c, j.at, mem);
	s->is_jump = s->p < P_FOUND;
	fifth = s->is_jump ? j.at : fifth;
	s->from = curve_level(c->y, fifth, mem).median;
	s->to = s->is_jump ? curve_level(c->y + j.at, c->n - j.at, mem).median
			   : curve_level(c->y + (c->n - fifth), fifth, mem).median;
	s->p = s->is_jump ? s->p : t.p;
	s->slope = t.slope;
	s->is_found = s->p < P_FOUND && s->from > 0 && s->to - s->from > least * s->from &&
		(s->is_jump || t.lo > 0);
	if (s->is_found)
		s->x = s->is_jump ? j.x : begin_of(c, least * s->from);
}

double slowing_spread(const struct curve *c)
{
	double mean = 0, m2 = 0;

	for (size_t i = 0; i < c->n; i++) {
		double d = c->y[i] - mean;

		mean += d / (double)(i + 1);
		m2 += d * (c->y[i] - mean);
	}
	return c->n > 1 && mean > 0 ? sqrt(m2 / (double)(c->n - 1)) / mean : NAN;
}
