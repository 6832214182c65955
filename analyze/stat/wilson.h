/* The interval of a share: k of n. */
#pragma once

#include "analyze/stat/quantile.h"

/* Two-sided interval at the given confidence; NaN when n is 0.  k <= n.  Source: Wilson 1927. */
struct interval_real wilson_interval(size_t k, size_t n, double confidence);
