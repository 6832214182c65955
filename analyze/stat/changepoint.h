/* Where a series changed its level: nights of a benchmark. */
#pragma once

#include "base/base.h"

struct changepoint_options {
	size_t window;     /* values looked at together, at least 4; they step by half of it */
	double alpha;      /* a point stays when its p is below */
	double min_change; /* and its relative change above */
};

struct changepoint {
	size_t at;            /* first value of the new level */
	double p;             /* Student's test of the levels on both sides, one pooled variance */
	double before, after; /* means of the segments on both sides */
	double change;        /* after / before - 1 */
};

/* The best place to split v[0..n): its first value on the right, and how much it is worth. */
struct changepoint_split {
	size_t at; /* 0 when n < 2 */
	size_t to; /* the right side it was found with is v[at..to) */
	double q;
};

/* Q = 2/(n+m) sum |x - y| - 2m/((n+m)(n-1)) sum |x - x'| - 2n/((n+m)(m-1)) sum |y - y'|, the
 * largest over all places to split and all ends of the right side.  O(n^2). Source: Matteson and
 * James 2014 (E-divisive, exponent 1), energy distance. */
struct changepoint_split changepoint_best(const double *v, size_t n, struct arena *mem);

/* All change points, ascending; *n_out receives how many; the array is mem's.  In windows, split at
 * the best place while that is significant at ten times alpha (twice from 0.05 on); then the
 * weakest point is dropped, and its neighbours judged anew, until all are significant and large
 * enough. Source: Fleming et al. 2023 (Hunter).  Ours pools the variance divided by n - 1. */
struct changepoint *changepoint_find(const double *v, size_t n, const struct changepoint_options *o,
	size_t *n_out, struct arena *mem);
