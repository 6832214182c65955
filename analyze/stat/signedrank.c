/*
 * Wilcoxon's signed ranks.
 */
#include "analyze/stat/signedrank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/stat/law.h"
#include "analyze/stat/quantile.h"
#include "base/arena.h"

static int by_size(const void *pa, const void *pb)
{
	const double *a = pa, *b = pb;
	double x = fabs(*a), y = fabs(*b);

	return (x > y) - (x < y);
}

/* Differences by size, with twice their mid-ranks. */
struct ranked {
	const double *d;
	size_t *rank2;
	size_t n;
	double cubes; /* sum of t^3 - t over groups of equal sizes */
};

static void rank(struct ranked *r, const double *d, size_t n, struct arena *mem)
{
	double *own = arena_array(mem, n, sizeof(*own));
	size_t i, j;

	for (i = 0; i < n; i++)
		if (d[i] != 0)
			own[r->n++] = d[i];
	if (r->n)
		qsort(own, r->n, sizeof(*own), by_size);
	r->d = own;
	r->rank2 = arena_array(mem, n, sizeof(*r->rank2));
	for (i = 0; i < r->n; i = j) {
		size_t k;
		double t;

		for (j = i + 1; j < r->n && fabs(own[j]) <= fabs(own[i]); j++)
			;
		for (k = i; k < j; k++)
			r->rank2[k] = i + j + 1;
		t = (double)(j - i);
		r->cubes += t * t * t - t;
	}
}

/* out[s]: the share of signs that make twice V equal to s; the sum of rank2 is n (n + 1). */
static double *sign_law(const size_t *rank2, size_t n, struct arena *mem)
{
	size_t most = n * (n + 1), i, s;
	double *p = arena_array(mem, most + 1, sizeof(*p));

	p[0] = 1;
	for (i = 0; i < n; i++)
		for (s = most + 1; s-- > 0;)
			p[s] = (p[s] + (s >= rank2[i] ? p[s - rank2[i]] : 0)) / 2;
	return p;
}

static void exact_tails(struct signedrank *w, const struct ranked *r, struct arena *mem)
{
	const double *p = sign_law(r->rank2, r->n, mem);
	size_t s, at = (size_t)(2 * w->v + 0.5);

	w->is_exact = true;
	w->less = w->greater = 0;
	for (s = 0; s <= r->n * (r->n + 1); s++) {
		w->less += s <= at ? p[s] : 0;
		w->greater += s >= at ? p[s] : 0;
	}
}

static void normal_tails(struct signedrank *w, const struct ranked *r)
{
	double n = (double)r->n, middle = n * (n + 1) / 4;
	double sd = sqrt(n * (n + 1) * (2 * n + 1) / 24 - r->cubes / 48);

	w->less = 1 - law_normal_above((w->v - middle + 0.5) / sd);
	w->greater = law_normal_above((w->v - middle - 0.5) / sd);
}

/* The smallest q with P(V <= q) >= p without ties, or the normal law's; and P(V <= q - 1). */
static size_t quantile_of(double p, size_t n, double *below, struct arena *mem)
{
	size_t *rank2 = arena_array(mem, n, sizeof(*rank2)), i, q;
	const double *law;
	double sum;

	if (n > SIGNEDRANK_EXACT_MAX) {
		double m = (double)n, sd = sqrt(m * (m + 1) * (2 * m + 1) / 24);
		double at = floor(m * (m + 1) / 4 + law_normal_quantile(p) * sd);

		*below = p;
		return at > 1 ? (size_t)at : 1;
	}
	for (i = 0; i < n; i++)
		rank2[i] = 2 * (i + 1);
	law = sign_law(rank2, n, mem);
	*below = 0;
	for (q = 0, sum = law[0]; sum < p * (1 - 1e-12); sum += law[2 * ++q])
		*below = sum;
	if (q > 0)
		return q;
	*below = law[0];
	return 1;
}

static void estimate(
	struct signedrank *w, const double *d, size_t n, double confidence, struct arena *mem)
{
	double *s = arena_array(mem, n, sizeof(*s)), *mean;
	size_t i, j, m = 0, pairs, q;
	double below;

	memcpy(s, d, n * sizeof(*s));
	quantile_sort(s, n);
	if (n > SIGNEDRANK_ESTIMATE_MAX) {
		for (i = 0; i < SIGNEDRANK_ESTIMATE_MAX; i++)
			s[i] = s[i * (n - 1) / (SIGNEDRANK_ESTIMATE_MAX - 1)];
		n = SIGNEDRANK_ESTIMATE_MAX;
	}
	pairs = n * (n + 1) / 2;
	mean = arena_array(mem, pairs, sizeof(*mean));
	for (i = 0; i < n; i++)
		for (j = i; j < n; j++)
			mean[m++] = (s[i] + s[j]) / 2;
	w->shift = quantile_select(mean, pairs, 0.5);
	q = quantile_of((1 - confidence) / 2, n, &below, mem);
	w->lo = quantile_nth(mean, pairs, q - 1);
	w->hi = quantile_nth(mean, pairs, pairs - q);
	w->confidence = 1 - 2 * below;
}

struct signedrank signedrank_test(const double *d, size_t n, double confidence, struct arena *mem)
{
	struct signedrank w = { 0, NAN, 1, 1, 1, NAN, NAN, NAN, NAN, false };
	struct arena_mark mark = arena_mark(mem);
	struct ranked r = { 0 };
	double v2 = 0;
	size_t i;

	rank(&r, d, n, mem);
	w.n = r.n;
	if (r.n > 0) {
		for (i = 0; i < r.n; i++)
			v2 += r.d[i] > 0 ? (double)r.rank2[i] : 0;
		w.v = v2 / 2;
		if (r.n <= SIGNEDRANK_EXACT_MAX)
			exact_tails(&w, &r, mem);
		else
			normal_tails(&w, &r);
		w.p = 2 * (w.less < w.greater ? w.less : w.greater);
		w.p = w.p < 1 ? w.p : 1;
		estimate(&w, r.d, r.n, confidence, mem);
	}
	arena_reset(mem, mark);
	return w;
}
