/* Quantiles of real samples: quickselect that sets equal values apart and sorts where its pivots
 * are unlucky. */
#include "analyze/stat/quantile.h"

#include <assert.h>

ORDER(ascending, double, compare3(*a, *b))

void quantile_sort(double *v, size_t n)
{
	sort_rows(v, n, sizeof(*v), ascending);
}

static void swap(double *a, double *b)
{
	double t = *a;

	*a = *b;
	*b = t;
}

static double median_of_3(double a, double b, double c)
{
	if (a > b)
		swap(&a, &b);
	if (b > c)
		b = MAX(a, c);
	return b;
}

/* v[lo..hi) becomes: below the pivot up to *from, equal up to *to, above. */
static void part(double *v, size_t lo, size_t hi, double pivot, size_t *from, size_t *to)
{
	size_t below = lo, i = lo, above = hi;

	while (i < above) {
		if (v[i] < pivot)
			swap(&v[i++], &v[below++]);
		else if (v[i] > pivot)
			swap(&v[i], &v[--above]);
		else
			i++;
	}
	*from = below;
	*to = above;
}

double quantile_nth(double *v, size_t n, size_t k)
{
	size_t lo = 0, hi = n, rounds = 4;

	assert(k < n);
	for (size_t m = n; m > 1; m /= 2)
		rounds += 2;
	while (hi - lo > 1) {
		double pivot = median_of_3(v[lo], v[lo + (hi - lo) / 2], v[hi - 1]);
		size_t from, to;

		if (rounds-- == 0) {
			quantile_sort(v + lo, hi - lo);
			break;
		}
		part(v, lo, hi, pivot, &from, &to);
		if (k >= from && k < to)
			break;
		if (k < from)
			hi = from;
		else
			lo = to;
	}
	return v[k];
}

double quantile_sorted(const double *v, size_t n, double q)
{
	assert(q >= 0 && q <= 1);
	if (n == 0)
		return NAN;
	double h = (double)(n - 1) * q;
	size_t k = saturate_size(h);
	double share = h - (double)k;
	if (share <= 0 || k + 1 >= n)
		return v[k];
	return v[k] + share * (v[k + 1] - v[k]);
}

double quantile_select(double *v, size_t n, double q)
{
	assert(q >= 0 && q <= 1);
	if (n == 0)
		return NAN;
	double h = (double)(n - 1) * q;
	size_t k = saturate_size(h);
	double share = h - (double)k;
	double a = quantile_nth(v, n, k);
	if (share <= 0 || k + 1 >= n)
		return a;
	double next = v[k + 1];
	for (size_t i = k + 2; i < n; i++)
		next = MIN(v[i], next);
	return a + share * (next - a);
}

static double *copy(const double *v, size_t n, struct arena *mem)
{
	double *own = arena_array(mem, n, sizeof(*own));

	if (n)
		memcpy(own, v, n * sizeof(*own));
	return own;
}

double quantile_median(const double *v, size_t n, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	double median = quantile_select(copy(v, n, mem), n, 0.5);

	arena_reset(mem, mark);
	return median;
}

double quantile_median_but(const double *sorted, size_t n, double v)
{
	size_t rest = n - 1;

	if (n < 2)
		return NAN;
	size_t low = PARTITION_POINT(i, 0, n - 1, sorted[i] < v);
	return 0.5 *
		(sorted[(rest - 1) / 2 + ((rest - 1) / 2 >= low)] +
			sorted[rest / 2 + (rest / 2 >= low)]);
}

double quantile_mad(const double *v, size_t n, double centre, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	double *d = arena_array(mem, n, sizeof(*d));

	for (size_t i = 0; i < n; i++)
		d[i] = fabs(v[i] - centre);
	double mad = quantile_select(d, n, 0.5);
	arena_reset(mem, mark);
	return mad;
}

/* What one z is worth in the units of v; 0 when all values are equal. */
static double scale_of(const double *v, size_t n, double centre, struct arena *mem)
{
	double mad = quantile_mad(v, n, centre, mem);

	if (mad > 0)
		return mad / 0.6745;
	double sum = SUM(double, i, n, fabs(v[i] - centre));
	return n ? 1.2533 * sum / (double)n : 0;
}

static double z_of(double x, double centre, double scale)
{
	if (scale > 0)
		return (x - centre) / scale;
	return 0;
}

double quantile_modified_z_of(double x, const double *v, size_t n, struct arena *mem)
{
	double centre = quantile_median(v, n, mem);

	return z_of(x, centre, scale_of(v, n, centre, mem));
}

/* Fewer do not show that some of them are larger. */
enum { ABOVE_LEAST = 8 };

size_t quantile_above(double *v, size_t n, double usual)
{
	size_t longest = 0;

	if (n < ABOVE_LEAST)
		return 0;
	for (size_t i = 1; i < n; i++)
		longest = v[i] > v[longest] ? i : longest;
	memmove(v + longest, v + longest + 1, (n - longest - 1) * sizeof(*v));
	for (size_t i = 0; i + 1 < n; i++)
		v[i] = v[i] / usual - 1;
	return usual > 0 ? n - 1 : 0;
}
