/*
 * Permutation test of two means: the difference grows with the sum of the first side alone.
 */
#include "analyze/stat/permutation.h"

#include <math.h>

#include "analyze/stat/rng.h"
#include "base/arena.h"

struct split {
	double *v; /* both sides; own */
	size_t all, n;
	double observed, middle; /* sum of x, and what is expected of it */
	double slack;            /* sums this close are equal */
	double ways, greater, beyond;
};

static void count(struct split *s, double sum)
{
	s->ways++;
	s->greater += sum >= s->observed - s->slack;
	s->beyond += fabs(sum - s->middle) >= fabs(s->observed - s->middle) - s->slack;
}

/* index[0..n) ascending: the next choice of n out of all; false behind the last. */
static bool next_choice(size_t *index, size_t n, size_t all)
{
	size_t i = n;

	while (i > 0 && index[i - 1] == all - n + i - 1)
		i--;
	if (i == 0)
		return false;
	index[i - 1]++;
	for (; i < n; i++)
		index[i] = index[i - 1] + 1;
	return true;
}

static void enumerate(struct split *s, struct arena *mem)
{
	size_t *index = arena_array(mem, s->n, sizeof(*index)), i;

	for (i = 0; i < s->n; i++)
		index[i] = i;
	do {
		double sum = 0;

		for (i = 0; i < s->n; i++)
			sum += s->v[index[i]];
		count(s, sum);
	} while (next_choice(index, s->n, s->all));
}

static void draw(struct split *s)
{
	struct rng rng;
	size_t i, k;

	rng_init(&rng, RNG_SEED);
	count(s, s->observed);
	for (k = 0; k < PERMUTATION_DRAWS; k++) {
		double sum = 0;

		for (i = 0; i < s->n; i++) {
			size_t j = i + rng_below(&rng, s->all - i);
			double t = s->v[i];

			s->v[i] = s->v[j];
			s->v[j] = t;
			sum += s->v[i];
		}
		count(s, sum);
	}
}

static double ways_of(size_t all, size_t n)
{
	double c = 1;
	size_t i;

	for (i = 0; i < n; i++)
		c = c * (double)(all - i) / (double)(i + 1);
	return c;
}

struct permutation permutation_test(
	const double *x, size_t n, const double *y, size_t m, struct arena *mem)
{
	struct permutation p = { NAN, NAN, NAN, false };
	struct arena_mark mark = arena_mark(mem);
	struct split s = { .all = n + m, .n = n };
	double sum = 0, size = 0;
	size_t i;

	if (n == 0 || m == 0)
		return p;
	s.v = arena_array(mem, s.all, sizeof(*s.v));
	for (i = 0; i < s.all; i++) {
		s.v[i] = i < n ? x[i] : y[i - n];
		sum += s.v[i];
		size += fabs(s.v[i]);
		s.observed += i < n ? s.v[i] : 0;
	}
	s.middle = sum * (double)n / (double)s.all;
	s.slack = 1e-12 * size;
	p.difference = s.observed / (double)n - (sum - s.observed) / (double)m;
	p.is_exact = ways_of(s.all, n) <= PERMUTATION_EXACT_MAX;
	if (p.is_exact)
		enumerate(&s, mem);
	else
		draw(&s);
	p.greater = s.greater / s.ways;
	p.p = s.beyond / s.ways;
	arena_reset(mem, mark);
	return p;
}
