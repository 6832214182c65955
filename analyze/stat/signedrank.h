/*
 * Wilcoxon's signed ranks: pairs that differ to one side.
 */
#ifndef ANALYZE_STAT_SIGNEDRANK_H
#define ANALYZE_STAT_SIGNEDRANK_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum { SIGNEDRANK_EXACT_MAX = 50, SIGNEDRANK_ESTIMATE_MAX = 2000 };

struct signedrank {
	size_t n;          /* differences that are not 0 */
	double v;          /* sum of the ranks of the positive ones; NaN when n is 0 */
	double less;       /* P(V <= v): differences tend below 0 */
	double greater;    /* P(V >= v) */
	double p;          /* two-sided; 1 when n is 0 */
	double shift;      /* median of the means of all pairs of differences */
	double lo, hi;     /* its interval */
	double confidence; /* what that reaches */
	bool is_exact;
};

/*
 * Of n differences; zeros are dropped, equal sizes share their mid-rank.  Exact up to
 * SIGNEDRANK_EXACT_MAX, else normal with the correction for ties.  shift is found from at most
 * SIGNEDRANK_ESTIMATE_MAX evenly spaced order statistics.
 * Source: Wilcoxon 1945; Hollander and Wolfe 1973, 3.1 to 3.3.
 */
struct signedrank signedrank_test(const double *d, size_t n, double confidence, struct arena *mem);

#endif
