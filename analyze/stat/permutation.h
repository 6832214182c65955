/*
 * Permutation test of two means.
 */
#ifndef ANALYZE_STAT_PERMUTATION_H
#define ANALYZE_STAT_PERMUTATION_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum { PERMUTATION_EXACT_MAX = 200000, PERMUTATION_DRAWS = 9999 };

struct permutation {
	double difference; /* mean of x less mean of y; NaN when a side is empty */
	double greater;    /* share of the ways to split with at least this difference */
	double p;          /* with at least this size of it */
	bool is_exact;
};

/*
 * All ways when there are at most PERMUTATION_EXACT_MAX, else PERMUTATION_DRAWS fixed random ones;
 * the way that was observed counts among them, so that p is never 0.  Source: Fisher 1935; Phipson
 * and Smyth 2010 for the count.
 */
struct permutation permutation_test(
	const double *x, size_t n, const double *y, size_t m, struct arena *mem);

#endif
