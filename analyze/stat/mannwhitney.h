/* Mann-Whitney's U: does one sample tend to be larger than another.
 *
 * U of x is the number of pairs with x above y, ties counted half. */
#pragma once

#include "base/base.h"

/* Up to these sizes p is exact: without ties by side, with ties by both sides together. */
enum { MANNWHITNEY_SIDE_MAX = 50, MANNWHITNEY_TIED_MAX = 60 };

struct mannwhitney {
	double u;       /* of x; NaN when a side is empty */
	double less;    /* P(U <= u): x tends to be smaller */
	double greater; /* P(U >= u) */
	double p;       /* two-sided: twice the smaller of them, at most 1 */
	double larger;  /* share of pairs in which y is larger, ties half: 1 - u / (n m) */
	bool is_exact;
};

/* Exact in small samples: without ties by counting, with ties by the exact conditional law of the
 * sum of mid-ranks; else normal with the corrections for ties and continuity.  The exact law is not
 * symmetric under ties, so two-sided p comes from the smaller tail and not from the distance to the
 * middle.  O((n + m) log (n + m)), and the law for small samples.  Source: Mann and Whitney 1947;
 * Klotz 1966 for ties. */
struct mannwhitney mannwhitney_test(
	const double *x, size_t n, const double *y, size_t m, struct arena *mem);

/* P(U <= u) without ties; sides up to MANNWHITNEY_SIDE_MAX. */
double mannwhitney_below(size_t u, size_t n, size_t m, struct arena *mem);
