/*
 * Memory curves: the trend from step to step.
 */
#include <math.h>
#include <stdlib.h>

#include "analyze/measure/memory/memcurve.h"
#include "analyze/stat/kendall.h"
#include "analyze/stat/theilsen.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/minmax.h"
#include "base/saturate.h"

enum { LEAST_STEPS = 3, SET_ASIDE = 5 };
static const double CONFIDENCE = 0.95;

const char *memcurve_sign_word(enum memcurve_sign s)
{
#define X(name, word) word,
	static const char *const words[] = { MEMCURVE_SIGNS(X) };
#undef X

	return words[s];
}

struct series {
	double *step; /* numbers of the steps */
	int64_t *v;
	double *y; /* the same as v */
	size_t n;
};

/* Values at the ends of steps; a step before the first record, or with an unknown one, has none. */
static void collect(struct series *s, const struct memcurve *c, const struct run *r,
	const struct filter_view *v, const int64_t *value)
{
	const struct steps *steps = r->steps;
	size_t i;

	s->n = 0;
	for (i = 0; i < steps->n; i++) {
		size_t at;

		if (v && v->step && !v->step[i])
			continue;
		at = memcurve_at(c, r, steps->step[i].host_end);
		if (at == SIZE_MAX || value[at] == ARG_UNKNOWN)
			continue;
		s->step[s->n] = (double)i;
		s->v[s->n++] = value[at];
	}
	if (s->n > SET_ASIDE) {
		s->step++;
		s->v++;
		s->n--;
	}
}

static void spread(struct series *s)
{
	size_t i, n = MEMCURVE_STEPS_MAX;

	if (s->n <= n)
		return;
	for (i = 0; i < n; i++) {
		size_t at = i * (s->n - 1) / (n - 1);

		s->step[i] = s->step[at];
		s->v[i] = s->v[at];
	}
	s->n = n;
}

static void make_series(struct series *s, size_t n, struct arena *mem)
{
	s->step = arena_array(mem, n, sizeof(*s->step));
	s->v = arena_array(mem, n, sizeof(*s->v));
	s->y = arena_array(mem, n, sizeof(*s->y));
}

/* Fills y, which is what statistics want. */
static void as_reals(struct series *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		s->y[i] = (double)s->v[i];
}

/* Whether one step alone makes at least 80% of the growth, and the others do not matter. */
static bool is_jump(const struct series *s, int64_t growth)
{
	int64_t most = 0;
	size_t i;

	for (i = 1; i < s->n; i++) {
		int64_t d = saturate_sub(s->v[i], s->v[i - 1]);

		most = MAX(d, most);
	}
	return (double)most >= 0.8 * (double)growth;
}

static bool always_grows(const struct series *s)
{
	size_t i;

	for (i = 1; i < s->n; i++)
		if (s->v[i] <= s->v[i - 1])
			return false;
	return true;
}

static bool is_growth(int64_t growth, int64_t peak)
{
	return growth > MEMCURVE_LEAK_BYTES && growth > peak / 1000;
}

static enum memcurve_sign sign_of(
	const struct series *s, double slope, double p, int64_t peak, const struct series *reserved)
{
	int64_t growth = saturate_sub(s->v[s->n - 1], s->v[0]);

	if (is_growth(growth, peak) && is_jump(s, growth))
		return MEMCURVE_JUMP;
	if (is_growth(growth, peak) && slope > 0 && p < 0.01)
		return MEMCURVE_LEAK;
	if (is_growth(growth, peak) && always_grows(s))
		return MEMCURVE_RISING;
	if (reserved->n >= LEAST_STEPS) {
		int64_t more = saturate_sub(reserved->v[reserved->n - 1], reserved->v[0]);

		if (is_growth(more, peak) && !is_jump(reserved, more))
			return MEMCURVE_RESERVED;
	}
	return MEMCURVE_STEADY;
}

/* t is UNKNOWN so far, and there are steps. */
static void find_trend(struct memcurve_trend *t, const struct memcurve *c, const struct run *r,
	const struct filter_view *v, struct arena *mem)
{
	size_t n = r->steps->n;
	struct series s, reserved;
	struct theilsen line;

	make_series(&s, n, mem);
	make_series(&reserved, n, mem);
	collect(&s, c, r, v, c->allocated);
	collect(&reserved, c, r, v, c->reserved);
	spread(&s);
	spread(&reserved);
	as_reals(&s);
	as_reals(&reserved);
	t->steps = s.n;
	if (s.n < LEAST_STEPS)
		return;
	t->first = s.v[0];
	t->last = s.v[s.n - 1];
	line = theilsen_fit(s.step, s.y, s.n, CONFIDENCE, mem);
	t->slope = line.slope;
	t->slope_lo = isfinite(line.lo) ? line.lo : NAN;
	t->slope_hi = isfinite(line.hi) ? line.hi : NAN;
	t->slope_reserved =
		theilsen_fit(reserved.step, reserved.y, reserved.n, CONFIDENCE, mem).slope;
	t->p = kendall_trend(s.y, s.n, mem).p;
	t->sign = sign_of(&s, t->slope, t->p, c->allocated[c->peak], &reserved);
	t->is_leak = t->sign == MEMCURVE_LEAK;
}

bool memcurve_trend(struct memcurve_trend *t, const struct memcurve *c, const struct run *r,
	const struct filter_view *v)
{
	const struct steps *s = r->steps;
	struct arena mem;

	*t = (struct memcurve_trend){
		.slope = NAN, .slope_lo = NAN, .slope_hi = NAN, .slope_reserved = NAN, .p = NAN
	};
	if (!s || s->n < LEAST_STEPS || s->source == STEPS_WHOLE || c->n == 0)
		return false;
	arena_init(&mem);
	find_trend(t, c, r, v, &mem);
	arena_clear(&mem);
	return t->sign != MEMCURVE_UNKNOWN;
}
