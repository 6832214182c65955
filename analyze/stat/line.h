/* A line through points by least squares.  One that outliers do not bend: theilsen.h. */
#ifndef ANALYZE_STAT_LINE_H
#define ANALYZE_STAT_LINE_H

#include <stddef.h>

struct line {
	double slope, intercept; /* NaN with fewer than 2 different x */
	double r2; /* 1 - residual / total sum of squares; 1 where y does not vary; NaN as above */
};

/* y = intercept + slope x through n points.  O(n). */
struct line line_fit(const double *x, const double *y, size_t n);

#endif
