/* Many tests at once: the false discovery rate. */
#pragma once

#include "base/base.h"

/* Sets q[i] to the adjusted p[i]: the share of false ones to be expected among all tests that are
 * at least as significant.  NaN stays NaN and is not counted.  O(n log n).  Source: Benjamini and
 * Hochberg 1995; valid for tests with positive dependence (Benjamini and Yekutieli 2001). */
void bh_adjust(const double *p, size_t n, double *q, struct arena *mem);
