/*
 * Analyses that describe whole files: one run after the other, without filters but --rank.
 */
#ifndef ANALYZE_QUERY_WHOLE_H
#define ANALYZE_QUERY_WHOLE_H

#include "analyze/query/analysis.h"

/* Answers for one run; input is its index. */
typedef void whole_fn(void *ctx, const struct run *r, int input);

/*
 * Calls fn for each run that --rank wants, in order.  E_USAGE for a malformed filter, E_NODATA when
 * no run is left.
 */
enum status whole_each(const struct query *q, whole_fn *fn, void *ctx, struct err *e) MUST_CHECK;

#endif
