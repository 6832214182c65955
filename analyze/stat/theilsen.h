/* A line through points that outliers do not bend. */
#ifndef ANALYZE_STAT_THEILSEN_H
#define ANALYZE_STAT_THEILSEN_H

#include <stddef.h>

struct arena;

/* More points than this are thinned to the medians of as many blocks of neighbours. */
enum { THEILSEN_MAX = 2000 };

struct theilsen {
	double slope;     /* y per x: median of the slopes of all pairs; NaN with fewer than 2 */
	double intercept; /* median of y less slope times median of x */
	double lo, hi;    /* interval of the slope; infinite when there are too few points */
	size_t n;         /* points it was found from, after thinning */
};

/*
 * Through n points with x ascending (equal x make no pair); confidence 0 < c < 1 of the interval.
 * O(min(n, THEILSEN_MAX)^2) time and memory, O(n) besides.
 * Source: Theil 1950, Sen 1968; the interval from Kendall's law, as scipy.stats.theilslopes.
 */
struct theilsen theilsen_fit(
	const double *x, const double *y, size_t n, double confidence, struct arena *mem);

/*
 * Medians of `blocks` blocks of neighbours that are as even as they can be; out has room for
 * `blocks`.  blocks <= n, n > 0.
 */
void theilsen_blocks(const double *v, size_t n, double *out, size_t blocks, struct arena *mem);

#endif
