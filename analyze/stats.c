/*
 * Quantiles by selection: quickselect with median-of-three pivots, three-way partition (durations
 * repeat a lot), and a heap sort where the pivots are unlucky.
 */
#include "analyze/stats.h"

#include <assert.h>
#include <math.h>

static void swap(int64_t *a, int64_t *b)
{
	int64_t t = *a;

	*a = *b;
	*b = t;
}

/* Moves v[i] down until both children are no larger. */
static void sift(int64_t *v, size_t i, size_t n)
{
	int64_t x = v[i];
	size_t c;

	for (; (c = 2 * i + 1) < n; i = c) {
		if (c + 1 < n && v[c] < v[c + 1])
			c++;
		if (x >= v[c])
			break;
		v[i] = v[c];
	}
	v[i] = x;
}

static void heap_sort(int64_t *v, size_t n)
{
	size_t i;

	for (i = n / 2; i-- > 0;)
		sift(v, i, n);
	for (i = n; i-- > 1;) {
		swap(&v[0], &v[i]);
		sift(v, 0, i);
	}
}

static int64_t median_of_3(int64_t a, int64_t b, int64_t c)
{
	if (a > b)
		swap(&a, &b);
	if (b > c)
		b = a > c ? a : c;
	return b;
}

/* Orders v[*lo..*hi) into <pivot, =pivot, >pivot; *lo..*hi becomes the middle part. */
static void partition(int64_t *v, size_t *lo, size_t *hi)
{
	int64_t pivot = median_of_3(v[*lo], v[*lo + (*hi - *lo) / 2], v[*hi - 1]);
	size_t i = *lo;

	while (i < *hi) {
		if (v[i] < pivot)
			swap(&v[i++], &v[(*lo)++]);
		else if (v[i] > pivot)
			swap(&v[i], &v[--*hi]);
		else
			i++;
	}
}

int64_t stats_select(int64_t *v, size_t n, size_t k)
{
	size_t lo = 0, hi = n, rounds = 2, m;

	assert(k < n);
	for (m = n; m > 1; m /= 2)
		rounds += 2;
	while (hi - lo > 1) {
		size_t from = lo, to = hi;

		if (rounds-- == 0) {
			heap_sort(v + lo, hi - lo);
			break;
		}
		partition(v, &from, &to);
		if (k < from)
			hi = from;
		else if (k >= to)
			lo = to;
		else
			break;
	}
	return v[k];
}

double stats_quantile(int64_t *v, size_t n, double q)
{
	double h, part;
	int64_t a, b;
	size_t k, i;

	assert(q >= 0 && q <= 1);
	if (n == 0)
		return NAN;
	h = (double)(n - 1) * q;
	k = (size_t)h;
	part = h - (double)k;
	a = stats_select(v, n, k);
	if (part <= 0 || k + 1 >= n)
		return (double)a;
	b = v[k + 1];
	for (i = k + 2; i < n; i++)
		if (v[i] < b)
			b = v[i];
	return (double)a + part * ((double)b - (double)a);
}
