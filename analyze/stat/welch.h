/* Means, their spread, and tests on two means. */
#pragma once

#include "base/base.h"

struct moments {
	size_t n;
	double mean;     /* NaN when n is 0 */
	double variance; /* divided by n - 1; NaN when n < 2 */
};

/* In two passes. */
struct moments welch_moments(const double *v, size_t n);

/* Standard deviation over mean; NaN when n < 2 or the mean is 0. */
double welch_cv(const struct moments *m);

/* y against x; NaN where the samples cannot say (fewer than two values on a side). */
struct welch {
	double difference; /* mean of y less mean of x */
	double se;         /* standard error of the difference */
	double df;
	double t;      /* +-inf when both sides do not vary and differ, 0 when they do not */
	double p;      /* of no difference, two-sided */
	double lo, hi; /* interval of the difference, two-sided, at the confidence asked for */
};

/* Unequal variances.  confidence 0 < c < 1 of the interval.  Source: Welch 1947; degrees of freedom
 * by Satterthwaite 1946. */
struct welch welch_test(const struct moments *x, const struct moments *y, double confidence);

/* Student's test with one pooled variance: more power with very few values on one side. */
struct welch welch_pooled(const struct moments *x, const struct moments *y, double confidence);
