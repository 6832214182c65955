/* Quantiles by selection: quickselect with pivots near the answer, partitions without branches that
 * set equal values apart (durations repeat a lot), and a heap sort where the pivots are unlucky. */
#include "analyze/stat/stats.h"

#include <assert.h>

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
	for (size_t i = n / 2; i-- > 0;)
		sift(v, i, n);
	for (size_t i = n; i-- > 1;) {
		swap(&v[0], &v[i]);
		sift(v, 0, i);
	}
}

static int64_t median_of_3(int64_t a, int64_t b, int64_t c)
{
	if (a > b)
		swap(&a, &b);
	if (b > c)
		b = MAX(a, c);
	return b;
}

/* Moves what is below the pivot to the front of v[lo..hi); where the others begin.  No branches. */
static size_t move_below(int64_t *v, size_t lo, size_t hi, int64_t pivot)
{
	size_t at = lo;

	for (size_t i = lo; i < hi; i++) {
		int64_t x = v[i];

		v[i] = v[at];
		v[at] = x;
		at += x < pivot;
	}
	return at;
}

/* From this many values on, a pivot is chosen from a sample. */
enum { SAMPLE = 64, SAMPLED_MIN = 32 * SAMPLE, SAMPLE_MARGIN = 3 };

/* A pivot near the k-th of n values, a little to that side of it where most values are: so these
 * are gone after one pass.  From an evenly spaced sample; after Floyd and Rivest, 1975. */
static int64_t pivot_near(const int64_t *v, size_t n, size_t k)
{
	int64_t sample[SAMPLE];
	size_t want = saturate_size((double)k / (double)n * SAMPLE);

	for (size_t i = 0; i < SAMPLE; i++)
		sample[i] = v[i * (n / SAMPLE) + n / SAMPLE / 2];
	heap_sort(sample, SAMPLE);
	if (want >= SAMPLE / 2)
		return sample[want > SAMPLE_MARGIN ? want - SAMPLE_MARGIN : 0];
	return sample[want + SAMPLE_MARGIN];
}

int64_t stats_select(int64_t *v, size_t n, size_t k)
{
	size_t lo = 0, hi = n, rounds = 2;

	assert(k < n);
	for (size_t m = n; m > 1; m /= 2)
		rounds += 2;
	while (hi - lo > 1) {
		int64_t pivot = hi - lo >= SAMPLED_MIN
			? pivot_near(v + lo, hi - lo, k - lo)
			: median_of_3(v[lo], v[lo + (hi - lo) / 2], v[hi - 1]);

		if (rounds-- == 0) {
			heap_sort(v + lo, hi - lo);
			break;
		}
		size_t from = move_below(v, lo, hi, pivot);
		if (k < from) {
			hi = from;
			continue;
		}
		/* What equals it: nothing is below it there. */
		size_t to = pivot < INT64_MAX ? move_below(v, from, hi, pivot + 1) : hi;
		if (k < to)
			break;
		lo = to;
	}
	return v[k];
}

/* x[floor h] + (h - floor h) (x[floor h + 1] - x[floor h]).  Afterwards v[0..*n) holds what smaller
 * h can ask for.  The same is expected before. */
static double interpolate(int64_t *v, size_t *n, double h)
{
	size_t k = saturate_size(h), least = k + 1;
	double part = h - (double)k;
	int64_t a = stats_select(v, *n, k);

	if (part <= 0 || k + 1 >= *n) {
		*n = k + 1;
		return (double)a;
	}
	for (size_t i = k + 2; i < *n; i++)
		if (v[i] < v[least])
			least = i;
	swap(&v[k + 1], &v[least]);
	*n = k + 2;
	return (double)a + part * ((double)v[k + 1] - (double)a);
}

double stats_quantile(int64_t *v, size_t n, double q)
{
	double x;

	stats_quantiles(v, n, &q, 1, &x);
	return x;
}

void stats_quantiles(int64_t *v, size_t n, const double *q, size_t nq, double *x)
{
	size_t part = n;

	for (size_t i = 0; i < nq; i++) {
		double h = (double)(n - (n > 0)) * q[i];

		assert(q[i] >= 0 && q[i] <= 1 && (i == 0 || q[i] <= q[i - 1]));
		x[i] = n ? interpolate(v, &part, h) : NAN;
	}
}
