/* Kendall's tau: do two sequences rise together; and against time, the Mann-Kendall test of a
 * trend. */
#pragma once

#include "base/base.h"

struct kendall {
	double score;    /* S: pairs that rise together less pairs that do not */
	double tau;      /* S over the pairs without ties (tau-b); NaN when all are tied */
	double variance; /* of S where there is no relation, with the correction for ties */
	double z;        /* (S - sgn S) / sqrt(variance) */
	double p;        /* of no relation, two-sided: exact or normal */
	double p_normal; /* the normal one in any case */
	bool is_exact;
};

/* y against x, n pairs.  p is exact without ties up to 50 pairs, normal otherwise; 1 when either
 * does not vary.  NaN when n < 2.  O(n^2).  Source: Kendall 1938; Hollander and Wolfe 1973, 8.1. */
struct kendall kendall_test(const double *x, const double *y, size_t n, struct arena *mem);

/* y against its own order: a trend.  Source: Mann 1945, Kendall 1975. */
struct kendall kendall_trend(const double *y, size_t n, struct arena *mem);

/* The sum of t (t - 1) (2 t + 5) over groups of t equal values, of the variance of S. */
double kendall_tie_term(const double *v, size_t n, struct arena *mem);
