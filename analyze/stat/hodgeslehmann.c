/*
 * The shift of Hodges and Lehmann.
 */
#include "analyze/stat/hodgeslehmann.h"

#include <math.h>
#include <string.h>

#include "analyze/stat/law.h"
#include "analyze/stat/mannwhitney.h"
#include "analyze/stat/quantile.h"
#include "base/arena.h"

struct side {
	const double *v;
	size_t n;
};

static struct side thin(const double *v, size_t n, struct arena *mem)
{
	double *sorted = arena_array(mem, n, sizeof(*sorted));
	size_t i;

	memcpy(sorted, v, n * sizeof(*sorted));
	quantile_sort(sorted, n);
	if (n <= HODGESLEHMANN_SIDE)
		return (struct side){ sorted, n };
	for (i = 0; i < HODGESLEHMANN_SIDE; i++)
		sorted[i] = sorted[i * (n - 1) / (HODGESLEHMANN_SIDE - 1)];
	return (struct side){ sorted, HODGESLEHMANN_SIDE };
}

/* The rank from below of the lower end, 1 at least; *confidence receives what it reaches. */
static size_t rank_of(size_t n, size_t m, double confidence, double *reached, struct arena *mem)
{
	double pairs = (double)n * (double)m, sd, q;

	if (n <= MANNWHITNEY_SIDE_MAX && m <= MANNWHITNEY_SIDE_MAX) {
		size_t k = mannwhitney_quantile((1 - confidence) / 2, n, m, mem);

		k = k > 1 ? k : 1;
		*reached = 1 - 2 * mannwhitney_below(k - 1, n, m, mem);
		return k;
	}
	sd = sqrt(pairs * (double)(n + m + 1) / 12);
	q = floor(pairs / 2 - law_normal_quantile((1 + confidence) / 2) * sd);
	*reached = confidence;
	return q > 1 ? (size_t)q : 1;
}

struct hodgeslehmann hodgeslehmann_shift(
	const double *x, size_t n, const double *y, size_t m, double confidence, struct arena *mem)
{
	struct hodgeslehmann h = { NAN, NAN, NAN, NAN };
	struct arena_mark mark = arena_mark(mem);
	struct side a = { x, n }, b = { y, m };
	size_t i, j, pairs, k;
	double *d;

	if (n == 0 || m == 0)
		return h;
	if (n > HODGESLEHMANN_PAIRS_MAX / m) {
		a = thin(x, n, mem);
		b = thin(y, m, mem);
	}
	pairs = a.n * b.n;
	d = arena_array(mem, pairs, sizeof(*d));
	for (i = 0; i < a.n; i++)
		for (j = 0; j < b.n; j++)
			d[i * b.n + j] = b.v[j] - a.v[i];
	h.shift = quantile_select(d, pairs, 0.5);
	k = rank_of(n, m, confidence, &h.confidence, mem);
	if (pairs < n * m) /* ranks among the thinned */
		k = (size_t)((double)k / ((double)n * (double)m) * (double)pairs);
	k = k > 1 ? k : 1;
	h.lo = quantile_nth(d, pairs, k - 1);
	h.hi = quantile_nth(d, pairs, pairs - k);
	arena_reset(mem, mark);
	return h;
}
