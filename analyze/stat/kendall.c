/* Kendall's tau and the Mann-Kendall test. */
#include "analyze/stat/kendall.h"

#include "analyze/stat/quantile.h"

enum { EXACT_MAX = 50 };

/* The share of orders of n different values with at most k pairs the wrong way round: counts of
 * inversions grow by one value at a time, each new value adding 0 to m - 1 of them. */
static double share_of_orders(size_t n, size_t k, struct arena *mem)
{
	size_t most = n * (n - 1) / 2;
	struct arena_mark mark = arena_mark(mem);
	double *p = arena_array(mem, most + 1, sizeof(*p));
	double *next = arena_array(mem, most + 1, sizeof(*next));
	double sum = 0;

	p[0] = 1;
	for (size_t m = 2; m <= n; m++) {
		double window = 0;

		for (size_t i = 0; i <= most; i++) {
			window += p[i];
			if (i >= m)
				window -= p[i - m];
			next[i] = window / (double)m;
		}
		memcpy(p, next, (most + 1) * sizeof(*p));
	}
	for (size_t i = 0; i <= k && i <= most; i++)
		sum += p[i];
	arena_reset(mem, mark);
	return MIN(sum, 1);
}

/* Over groups of equal values of size t. */
struct ties {
	double pairs;  /* sum of t (t - 1) / 2 */
	double second; /* sum of t (t - 1) (t - 2) */
	double spread; /* sum of t (t - 1) (2 t + 5) */
};

static struct ties find_ties(const double *v, size_t n, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	double *s = arena_array(mem, n, sizeof(*s));
	struct ties ties = { 0 };
	size_t j;

	memcpy(s, v, n * sizeof(*s));
	quantile_sort(s, n);
	for (size_t i = 0; i < n; i = j) {
		j = FIRST_FROM(k, i + 1, n, s[k] > s[i]);
		double t = (double)(j - i);
		ties.pairs += t * (t - 1) / 2;
		ties.second += t * (t - 1) * (t - 2);
		ties.spread += t * (t - 1) * (2 * t + 5);
	}
	arena_reset(mem, mark);
	return ties;
}

static double sign(double d)
{
	return (double)(compare3(d, 0));
}

/* Var(S) with ties on both sides.  Source: Kendall 1970, 4.9. */
static double variance_of(double n, const struct ties *a, const struct ties *b)
{
	double v = (n * (n - 1) * (2 * n + 5) - a->spread - b->spread) / 18;

	if (n > 2)
		v += a->second * b->second / (9 * n * (n - 1) * (n - 2));
	return v + 2 * a->pairs * b->pairs / (n * (n - 1));
}

static void find_p(struct kendall *k, size_t n, bool has_ties, struct arena *mem)
{
	double size = fabs(k->score), pairs = (double)n * (double)(n - 1) / 2;

	k->p = k->p_normal = 1;
	if (k->variance <= 0)
		return;
	k->z = (k->score - sign(k->score)) / sqrt(k->variance);
	k->p_normal = k->score != 0 ? erfc(fabs(k->z) / M_SQRT2) : 1;
	k->p = k->p_normal;
	if (has_ties || n > EXACT_MAX)
		return;
	k->is_exact = true;
	k->p = 2 * share_of_orders(n, saturate_size((pairs - size) / 2), mem);
	k->p = MIN(k->p, 1);
}

double kendall_tie_term(const double *v, size_t n, struct arena *mem)
{
	return find_ties(v, n, mem).spread;
}

struct kendall kendall_test(const double *x, const double *y, size_t n, struct arena *mem)
{
	struct kendall k = { 0, NAN, NAN, NAN, NAN, NAN, false };
	double pairs = (double)n * ((double)n - 1) / 2;

	if (n < 2)
		return k;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			k.score += sign(x[j] - x[i]) * sign(y[j] - y[i]);
	struct ties a = find_ties(x, n, mem);
	struct ties b = find_ties(y, n, mem);
	double free_pairs = sqrt(pairs - a.pairs) * sqrt(pairs - b.pairs);
	k.tau = free_pairs > 0 ? k.score / free_pairs : NAN;
	k.variance = free_pairs > 0 ? variance_of((double)n, &a, &b) : 0;
	find_p(&k, n, a.pairs > 0 || b.pairs > 0, mem);
	return k;
}

struct kendall kendall_trend(const double *y, size_t n, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	double *x = arena_array(mem, n, sizeof(*x));

	for (size_t i = 0; i < n; i++)
		x[i] = (double)i;
	struct kendall k = kendall_test(x, y, n, mem);
	arena_reset(mem, mark);
	return k;
}
