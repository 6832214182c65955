/* A line through points by least squares.  Lines that outliers do not bend are below. */
#pragma once

#include "base/base.h"

struct line {
	double slope, intercept; /* NaN with fewer than 2 different x */
	double r2; /* 1 - residual / total sum of squares; 1 where y does not vary; NaN as above */
};

/* y = intercept + slope x through n points.  O(n). */
struct line line_fit(const double *x, const double *y, size_t n);

/* A line through points that outliers do not bend. */

/* More points than this are thinned to the medians of as many blocks of neighbours. */
enum { THEILSEN_MAX = 2000 };

struct theilsen {
	double slope;     /* y per x: median of the slopes of all pairs; NaN with fewer than 2 */
	double intercept; /* median of y less slope times median of x */
	double lo, hi;    /* interval of the slope; infinite when there are too few points */
	size_t n;         /* points it was found from, after thinning */
};

/* Through n points with x ascending (equal x make no pair); confidence 0 < c < 1 of the interval.
 * O(min(n, THEILSEN_MAX)^2) time and memory, O(n) besides.
 * Source: Theil 1950, Sen 1968; the interval from Kendall's law, as scipy.stats.theilslopes. */
struct theilsen theilsen_fit(
	const double *x, const double *y, size_t n, double confidence, struct arena *mem);

/* Medians of `blocks` blocks of neighbours that are as even as they can be; out has room for
 * `blocks`.  blocks <= n, n > 0. */
void theilsen_blocks(const double *v, size_t n, double *out, size_t blocks, struct arena *mem);

/* A line through many points that outliers do not bend, with its intervals, at a bounded cost. */

/* More points than this are thinned to the medians of as many blocks of neighbours for the slope.
 */
enum { ROBUSTLINE_POINTS = 64, ROBUSTLINE_LEAST = 3 };

struct robustline {
	double x, y;        /* the line at the median x */
	double slope;       /* NaN: fewer than ROBUSTLINE_LEAST points, or all of one x */
	double y_error;     /* half widths of intervals that hold 95% at least */
	double slope_error; /* of both */
	double spread;      /* half of what holds 95% of the points around the line */
	size_t n;
};

/* Through n points with x ascending, whose y are known to `resolution` (>= 0), so that they are not
 * better than that although they agree.  The slope is Theil's and Sen's, y the median of what it
 * leaves.  Sigma is 1.4826 times the median absolute deviation, at least resolution / sqrt(6)
 * (the difference of two rounded values) and, of few points, the root of their mean square;
 * intervals are those of normal points by Student's law,
 * the slope's at least Kendall's, y's at least the sign test's.
 * O(n) expected, and ROBUSTLINE_POINTS^2.  Source: as struct theilsen; Rousseeuw and Croux 1993. */
struct robustline robustline_fit(
	const double *x, const double *y, size_t n, double resolution, struct arena *mem);
