/* Mann-Whitney's U. */
#include "analyze/stat/mannwhitney.h"

#include "analyze/stat/law.h"

/* ---- the law without ties ---- */

/* Counts of orders by U: the largest value is an x, above all j y's, or a y, above no x.
 * f(i, j, u) = f(i - 1, j, u - j) + f(i, j - 1, u).  Returns f(n, m, 0..nm). */
static double *counts(size_t n, size_t m, struct arena *mem)
{
	size_t most = n * m + 1;
	double *f = arena_array(mem, (m + 1) * most, sizeof(*f)); /* by j, for the last i */

	for (size_t j = 0; j <= m; j++)
		f[j * most] = 1;
	for (size_t i = 1; i <= n; i++)
		for (size_t j = 1; j <= m; j++) {
			double *own = f + j * most, *left = own - most;

			for (size_t u = i * j + 1; u-- > 0;)
				own[u] = (u >= j ? own[u - j] : 0) + left[u];
		}
	return f + m * most;
}

/* out[u] = P(U <= u), u = 0..nm. */
static double *law(size_t n, size_t m, struct arena *mem)
{
	double *f = counts(n, m, mem), all = 0, sum = 0;

	for (size_t u = 0; u <= n * m; u++)
		all += f[u];
	for (size_t u = 0; u <= n * m; u++) {
		sum += f[u];
		f[u] = sum / all;
	}
	return f;
}

double mannwhitney_below(size_t u, size_t n, size_t m, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	double p = u >= n * m ? 1 : law(n, m, mem)[u];

	arena_reset(mem, mark);
	return p;
}

/* ---- the law with ties ---- */

static double choose(size_t n, size_t k)
{
	double c = 1;

	for (size_t i = 0; i < k; i++)
		c = c * (double)(n - i) / (double)(i + 1);
	return round(c);
}

/*
 * ways[j][s]: how many choices of j x's have twice their sum of mid-ranks equal to s.  One group of
 * equal values after the other; a of its t values are x's in C(t, a) ways.  Returns the row of n.
 */
static double *tied_ways(const size_t *t, size_t ngroup, size_t n, size_t most, struct arena *mem)
{
	size_t before = 0;
	double *ways = arena_array(mem, (n + 1) * (most + 1), sizeof(*ways));

	ways[0] = 1;
	for (size_t g = 0; g < ngroup; g++) {
		size_t rank2 = 2 * before + t[g] + 1; /* twice the mid-rank */

		for (size_t j = n; j > 0; j--)
			for (size_t a = 1; a <= t[g] && a <= j; a++) {
				double c = choose(t[g], a);
				double *to = ways + j * (most + 1);
				const double *from = ways + (j - a) * (most + 1);

				for (size_t s = a * rank2; s <= most; s++)
					to[s] += from[s - a * rank2] * c;
			}
		before += t[g];
	}
	return ways + n * (most + 1);
}

/* P(U <= u) and P(U >= u). */
static void tied_tails(double u, const size_t *t, size_t ngroup, size_t n, double *below,
	double *above, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	double all = 0, lo = 0, hi = 0;
	size_t total = SUM(size_t, g, ngroup, t[g]);

	size_t most = n * 2 * total;
	double *ways = tied_ways(t, ngroup, n, most, mem);
	double at = 2 * u + (double)(n * (n + 1)); /* twice the sum of ranks */
	for (size_t s = 0; s <= most; s++) {
		all += ways[s];
		lo += (double)s <= at + 0.25 ? ways[s] : 0;
		hi += (double)s >= at - 0.25 ? ways[s] : 0;
	}
	*below = lo / all;
	*above = hi / all;
	arena_reset(mem, mark);
}

/* ---- the test ---- */

struct value {
	double v;
	bool is_x;
};

ORDER(by_value, struct value, compare3(a->v, b->v))

/* The pooled sample: sizes of its groups of equal values, and the sum of x's mid-ranks. */
struct pooled {
	size_t *t;
	size_t ngroup;
	double rank_sum;
	double cubes; /* sum of t^3 - t */
};

/* Normal, with the corrections for ties and continuity. */
static void normal_tails(struct mannwhitney *w, const struct pooled *p, double n, double m)
{
	double all = n + m, middle = n * m / 2;
	double sd = sqrt(n * m / 12 * ((all + 1) - p->cubes / (all * (all - 1))));

	w->less = 1 - law_normal_above((w->u - middle + 0.5) / sd);
	w->greater = law_normal_above((w->u - middle - 0.5) / sd);
}

/* U and the share of larger pairs.  The tails are still to be found. */
static struct mannwhitney count_pairs(
	struct pooled *p, const double *x, size_t n, const double *y, size_t m, struct arena *mem)
{
	struct mannwhitney w = { NAN, NAN, NAN, NAN, NAN, false };

	if (n == 0 || m == 0)
		return w;
	struct value *v = arena_array(mem, n + m, sizeof(*v));
	size_t j;
	for (size_t i = 0; i < n; i++)
		v[i] = (struct value){ x[i], true };
	for (size_t i = 0; i < m; i++)
		v[n + i] = (struct value){ y[i], false };
	qsort(v, n + m, sizeof(*v), by_value);
	p->t = arena_array(mem, n + m, sizeof(*p->t));
	for (size_t i = 0; i < n + m; i = j) {
		double mine = 0;

		for (j = i; j < n + m && v[j].v <= v[i].v; j++)
			mine += v[j].is_x;
		double t = (double)(j - i);
		p->rank_sum += mine * ((double)(i + j + 1) / 2);
		p->cubes += t * t * t - t;
		p->t[p->ngroup++] = j - i;
	}
	w.u = p->rank_sum - (double)n * ((double)n + 1) / 2;
	w.larger = 1 - w.u / ((double)n * (double)m);
	return w;
}

struct mannwhitney mannwhitney_test(
	const double *x, size_t n, const double *y, size_t m, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	struct pooled p = { 0 };
	struct mannwhitney w = count_pairs(&p, x, n, y, m, mem);

	if (p.ngroup > 0) {
		bool has_ties = p.ngroup < n + m;
		if (p.ngroup == 1) {
			w.is_exact = true;
			w.less = w.greater = 1;
		} else if (!has_ties && n <= MANNWHITNEY_SIDE_MAX && m <= MANNWHITNEY_SIDE_MAX) {
			w.is_exact = true;
			w.less = mannwhitney_below(saturate_size(w.u), n, m, mem);
			w.greater = mannwhitney_below(n * m - saturate_size(w.u), n, m, mem);
		} else if (n + m <= MANNWHITNEY_TIED_MAX) {
			w.is_exact = true;
			tied_tails(w.u, p.t, p.ngroup, n, &w.less, &w.greater, mem);
		} else {
			normal_tails(&w, &p, (double)n, (double)m);
		}
		w.p = 2 * MIN(w.less, w.greater);
		w.p = MIN(w.p, 1);
	}
	arena_reset(mem, mark);
	return w;
}
