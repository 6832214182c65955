/*
 * By how much one sample is shifted against another, without assuming a law.
 */
#ifndef ANALYZE_STAT_HODGESLEHMANN_H
#define ANALYZE_STAT_HODGESLEHMANN_H

#include <stddef.h>

struct arena;

/* More pairs than this: each side is thinned to evenly spaced order statistics. */
enum { HODGESLEHMANN_PAIRS_MAX = 4000000, HODGESLEHMANN_SIDE = 2000 };

struct hodgeslehmann {
	double shift;      /* median of all y - x; NaN when a side is empty */
	double lo, hi;     /* its interval */
	double confidence; /* what the interval reaches: 0.90 at best for 3 against 3 */
};

/*
 * The interval belongs to the Mann-Whitney test at 1 - confidence.  On logarithms, exp(shift) is
 * the ratio.  O(n m) time and memory.  Source: Hodges and Lehmann 1963; Hollander and Wolfe
 * 1973, 4.3.
 */
struct hodgeslehmann hodgeslehmann_shift(
	const double *x, size_t n, const double *y, size_t m, double confidence, struct arena *mem);

#endif
