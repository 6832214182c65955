/*
 * Memory curves: the trend from step to step.
 */
#include <math.h>
#include <stdlib.h>

#include "analyze/filter.h"
#include "analyze/memcurve.h"
#include "analyze/saturate.h"
#include "analyze/store/run.h"
#include "analyze/store/steps.h"

enum { LEAST_STEPS = 3, SET_ASIDE = 5, EXACT_MAX = 30 };

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
		at = memcurve_at(c, r, steps->step[i].end);
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

static int by_value(const void *pa, const void *pb)
{
	const double *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

static double theil_sen(const struct series *s, struct arena *mem)
{
	size_t n = 0, i, j;
	double *slope, median;
	struct arena_mark mark = arena_mark(mem);

	if (s->n < 2)
		return NAN;
	slope = arena_array(mem, s->n * (s->n - 1) / 2, sizeof(*slope));
	for (i = 0; i < s->n; i++)
		for (j = i + 1; j < s->n; j++)
			slope[n++] =
				((double)s->v[j] - (double)s->v[i]) / (s->step[j] - s->step[i]);
	qsort(slope, n, sizeof(*slope), by_value);
	median = n % 2 ? slope[n / 2] : (slope[n / 2 - 1] + slope[n / 2]) / 2;
	arena_reset(mem, mark);
	return median;
}

/*
 * The share of orders of n different values with at most k pairs the wrong way round: counts of
 * inversions grow by one value at a time.
 */
static double share_of_orders(size_t n, size_t k, struct arena *mem)
{
	size_t most = n * (n - 1) / 2, m, i, j;
	struct arena_mark mark = arena_mark(mem);
	double *p = arena_array(mem, most + 1, sizeof(*p));
	double *next = arena_array(mem, most + 1, sizeof(*next));
	double sum = 0;

	p[0] = 1;
	for (m = 2; m <= n; m++) {
		for (i = 0; i <= most; i++) {
			next[i] = 0;
			for (j = 0; j < m && j <= i; j++)
				next[i] += p[i - j] / (double)m;
		}
		for (i = 0; i <= most; i++)
			p[i] = next[i];
	}
	for (i = 0; i <= k && i <= most; i++)
		sum += p[i];
	arena_reset(mem, mark);
	return sum;
}

static int by_int(const void *pa, const void *pb)
{
	const int64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

/* Sum over groups of equal values of t (t - 1) (2 t + 5). */
static double tie_term(const struct series *s, struct arena *mem, bool *has_ties)
{
	struct arena_mark mark = arena_mark(mem);
	int64_t *v = arena_array(mem, s->n, sizeof(*v));
	double sum = 0;
	size_t i, j;

	for (i = 0; i < s->n; i++)
		v[i] = s->v[i];
	qsort(v, s->n, sizeof(*v), by_int);
	*has_ties = false;
	for (i = 0; i < s->n; i = j) {
		double t;

		for (j = i + 1; j < s->n && v[j] == v[i]; j++)
			*has_ties = true;
		t = (double)(j - i);
		sum += t * (t - 1) * (2 * t + 5);
	}
	arena_reset(mem, mark);
	return sum;
}

static double mann_kendall(const struct series *s, struct arena *mem)
{
	double n = (double)s->n, ties, variance, z, p;
	int64_t score = 0, size;
	size_t i, j;
	bool has_ties;

	for (i = 0; i < s->n; i++)
		for (j = i + 1; j < s->n; j++)
			score += (s->v[j] > s->v[i]) - (s->v[j] < s->v[i]);
	size = score < 0 ? -score : score;
	ties = tie_term(s, mem, &has_ties);
	if (!has_ties && s->n <= EXACT_MAX) {
		size_t pairs = s->n * (s->n - 1) / 2;

		p = 2 * share_of_orders(s->n, (pairs - (size_t)size) / 2, mem);
		return p > 1 ? 1 : p;
	}
	variance = (n * (n - 1) * (2 * n + 5) - ties) / 18;
	if (variance <= 0 || size == 0)
		return 1;
	z = ((double)size - 1) / sqrt(variance);
	return erfc(z / sqrt(2.0));
}

/* Whether one step alone makes at least 80 % of the growth, and the others do not matter. */
static bool is_jump(const struct series *s, int64_t growth)
{
	int64_t most = 0;
	size_t i;

	for (i = 1; i < s->n; i++) {
		int64_t d = saturate_sub(s->v[i], s->v[i - 1]);

		most = d > most ? d : most;
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

static enum memcurve_sign judge(
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

	s.step = arena_array(mem, n, sizeof(*s.step));
	s.v = arena_array(mem, n, sizeof(*s.v));
	reserved.step = arena_array(mem, n, sizeof(*reserved.step));
	reserved.v = arena_array(mem, n, sizeof(*reserved.v));
	collect(&s, c, r, v, c->allocated);
	collect(&reserved, c, r, v, c->reserved);
	spread(&s);
	spread(&reserved);
	t->steps = s.n;
	if (s.n < LEAST_STEPS)
		return;
	t->first = s.v[0];
	t->last = s.v[s.n - 1];
	t->slope = theil_sen(&s, mem);
	t->slope_reserved = theil_sen(&reserved, mem);
	t->p = mann_kendall(&s, mem);
	t->sign = judge(&s, t->slope, t->p, c->allocated[c->peak], &reserved);
	t->is_leak = t->sign == MEMCURVE_LEAK;
}

bool memcurve_trend(struct memcurve_trend *t, const struct memcurve *c, const struct run *r,
	const struct filter_view *v)
{
	const struct steps *s = r->steps;
	struct arena mem;

	*t = (struct memcurve_trend){ .slope = NAN, .slope_reserved = NAN, .p = NAN };
	if (!s || s->n < LEAST_STEPS || s->source == STEPS_WHOLE || c->n == 0)
		return false;
	arena_init(&mem);
	find_trend(t, c, r, v, &mem);
	arena_clear(&mem);
	return t->sign != MEMCURVE_UNKNOWN;
}
