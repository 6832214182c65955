/*
 * Quantiles of integer samples (ns, bytes) by selection.  Of real numbers: analyze/stat/quantile.h.
 */
#pragma once

#include "base/base.h"

/* The q-quantile (0 <= q <= 1) of n values by linear interpolation between order statistics: with
 * h = (n - 1) q, x[floor h] + (h - floor h) (x[floor h + 1] - x[floor h]).  The values are
 * reordered. NaN when n is 0.  O(n) expected, O(n log n) at worst. Source: Hyndman and Fan 1996,
 * type 7; the default of numpy.percentile and R. */
double stats_quantile(int64_t *v, size_t n, double q);

/* The same for nq quantiles at once, q descending: each looks only at what the one before left in
 * front.  x receives them. */
void stats_quantiles(int64_t *v, size_t n, const double *q, size_t nq, double *x);

/* The k-th smallest of n values (k < n); v is parted around it: v[0..k) <= v[k] <= v[k+1..n). */
int64_t stats_select(int64_t *v, size_t n, size_t k);
