/* Theil's and Sen's slope. */
#include "analyze/stat/theilsen.h"

#include <math.h>

#include "analyze/stat/law.h"
#include "analyze/stat/quantile.h"
#include "base/arena.h"
#include "base/minmax.h"
#include "base/saturate.h"

void theilsen_blocks(const double *v, size_t n, double *out, size_t blocks, struct arena *mem)
{
	for (size_t i = 0; i < blocks; i++) {
		/* i n / blocks without overflow */
		size_t from = i * (n / blocks) + i * (n % blocks) / blocks;
		size_t to = (i + 1) * (n / blocks) + (i + 1) * (n % blocks) / blocks;

		out[i] = quantile_median(v + from, to - from, mem);
	}
}

/* The slopes of all pairs with different x; how many. */
static size_t slopes(const double *x, const double *y, size_t n, double *out)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			if (x[j] > x[i])
				out[m++] = (y[j] - y[i]) / (x[j] - x[i]);
	return m;
}

static double tie_term(const double *v, size_t n)
{
	double sum = 0;
	size_t j;

	for (size_t i = 0; i < n; i = j) {
		for (j = i + 1; j < n && v[j] <= v[i]; j++)
			;
		double t = (double)(j - i);
		sum += t * (t - 1) * (2 * t + 5);
	}
	return sum;
}

static double tie_term_unsorted(const double *v, size_t n, struct arena *mem)
{
	double *s = arena_array(mem, n, sizeof(*s));

	for (size_t i = 0; i < n; i++)
		s[i] = v[i];
	quantile_sort(s, n);
	return tie_term(s, n);
}

/* slope: the m slopes, reordered. */
static void interval(struct theilsen *t, double *slope, size_t m, const double *x, const double *y,
	double confidence, struct arena *mem)
{
	double n = (double)t->n, ties = tie_term(x, t->n);

	ties += tie_term_unsorted(y, t->n, mem);
	double variance = (n * (n - 1) * (2 * n + 5) - ties) / 18;
	double reach = law_normal_quantile((1 + confidence) / 2) * sqrt(MAX(variance, 0));
	double lo = round(((double)m - reach) / 2) - 1;
	double hi = round(((double)m + reach) / 2);
	t->lo = lo >= 0 ? quantile_nth(slope, m, saturate_size(lo)) : -INFINITY;
	t->hi = hi < (double)m ? quantile_nth(slope, m, saturate_size(hi)) : INFINITY;
}

static void fit(
	struct theilsen *t, const double *x, const double *y, double confidence, struct arena *mem)
{
	double *slope = arena_array(mem, t->n * (t->n - 1) / 2, sizeof(*slope));
	size_t m = slopes(x, y, t->n, slope);

	if (m == 0)
		return;
	t->slope = quantile_select(slope, m, 0.5);
	t->intercept = quantile_median(y, t->n, mem) - t->slope * quantile_median(x, t->n, mem);
	interval(t, slope, m, x, y, confidence, mem);
}

struct theilsen theilsen_fit(
	const double *x, const double *y, size_t n, double confidence, struct arena *mem)
{
	struct theilsen t = { NAN, NAN, NAN, NAN, n };
	struct arena_mark mark = arena_mark(mem);

	if (n < 2)
		return t;
	if (n > THEILSEN_MAX) {
		double *bx = arena_array(mem, THEILSEN_MAX, sizeof(*bx));
		double *by = arena_array(mem, THEILSEN_MAX, sizeof(*by));

		theilsen_blocks(x, n, bx, THEILSEN_MAX, mem);
		theilsen_blocks(y, n, by, THEILSEN_MAX, mem);
		x = bx;
		y = by;
		t.n = THEILSEN_MAX;
	}
	fit(&t, x, y, confidence, mem);
	arena_reset(mem, mark);
	return t;
}
