/* A line through many points that outliers do not bend, with its intervals, at a bounded cost. */
#ifndef ANALYZE_STAT_ROBUSTLINE_H
#define ANALYZE_STAT_ROBUSTLINE_H

#include <stddef.h>

struct arena;

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

/*
 * Through n points with x ascending, whose y are known to `resolution` (>= 0), so that they are not
 * better than that although they agree.  The slope is Theil's and Sen's, y the median of what it
 * leaves.  Sigma is 1.4826 times the median absolute deviation, at least resolution / sqrt(6)
 * (the difference of two rounded values) and, of few points, the root of their mean square;
 * intervals are those of normal points by Student's law,
 * the slope's at least Kendall's, y's at least the sign test's.
 * O(n) expected, and ROBUSTLINE_POINTS^2.  Source: theilsen.h; Rousseeuw and Croux 1993.
 */
struct robustline robustline_fit(
	const double *x, const double *y, size_t n, double resolution, struct arena *mem);

#endif
