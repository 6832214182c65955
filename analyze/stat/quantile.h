/* Quantiles of real samples, and what is built on them: median, MAD, modified z.
 *
 * Samples hold no NaN: what is unknown was left out before. */
#pragma once

#include "base/base.h"

/* Sorts ascending.  O(n log n). */
void quantile_sort(double *v, size_t n);

/* The q-quantile (0 <= q <= 1) of n ascending values: with h = (n - 1) q, linear between the order
 * statistics around h.  NaN when n is 0.  Source: Hyndman and Fan 1996, type 7; the default of
 * numpy.percentile and R. */
double quantile_sorted(const double *v, size_t n, double q);

/* The same of values in any order, which are reordered.  O(n) expected, O(n log n) at worst. */
double quantile_select(double *v, size_t n, double q);

/* The k-th smallest of n values (k < n), which are partitioned around it. */
double quantile_nth(double *v, size_t n, size_t k);

/* The median of values in any order; v is left alone, scratch comes from mem.  NaN when n is 0. */
double quantile_median(const double *v, size_t n, struct arena *mem);

/* By which share each value is above the usual one, the largest left out, into v, in their order:
 * the mean of these is what some larger ones cost.  Returns how many; 0: there are too few. */
size_t quantile_above(double *v, size_t n, double usual);

/* The median of n ascending values without one that equals v; NaN when n is 1.  O(log n). */
double quantile_median_but(const double *sorted, size_t n, double v);

/* An interval; NaN where there is none. */
struct interval_real {
	double lo, hi;
	double confidence; /* what the interval reaches, which may be more than was asked for */
};

/* Median absolute deviation from the centre, unscaled; NaN when n is 0. */
double quantile_mad(const double *v, size_t n, double centre, struct arena *mem);

/* One value against n: 0.6745 (x - median) / MAD; where the MAD is 0, (x - median) over 1.2533
 * times the mean absolute deviation; where that is 0, 0.  Source: Iglewicz and Hoaglin 1993, which
 * calls a value beyond 3.5 an outlier. */
double quantile_modified_z_of(double x, const double *v, size_t n, struct arena *mem);
