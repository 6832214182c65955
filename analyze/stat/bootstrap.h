/* The interval of a statistic by resampling. */
#pragma once

#include "analyze/stat/quantile.h"

enum { BOOTSTRAP_DRAWS = 10000, BOOTSTRAP_LEAST = 10 };

/* A statistic of n values.  It may reorder them. */
typedef double bootstrap_statistic(double *v, size_t n);

/* The mean, the most usual one. */
double bootstrap_mean(double *v, size_t n);

/* The percentile interval of `of` over `draws` samples with replacement, taken in runs of
 * neighbours of a geometric length with mean `block` (1: one by one), the end joined to the start;
 * autocorr_block gives a length.  The stream of random numbers is the same in every run.  NaN when
 * n < BOOTSTRAP_LEAST.  O(draws n) and the statistic.
 * Source: Efron 1979; Politis and Romano 1994 for the blocks. */
struct interval_real bootstrap_interval(const double *v, size_t n, size_t block, size_t draws,
	double confidence, bootstrap_statistic *of, struct arena *mem);
