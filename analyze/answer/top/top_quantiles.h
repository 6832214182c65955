/*
 * Quantiles: what a table of `top` shows, and how long each row of it took.
 */
#ifndef ANALYZE_ANSWER_TOP_TOP_QUANTILES_H
#define ANALYZE_ANSWER_TOP_TOP_QUANTILES_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/answer/top/top_rank.h"

/* Durations of the shown groups, for quantiles: 8 bytes for each of their rows. */
struct top_samples {
	int64_t *v;
	size_t *begin;     /* by slot - 1 */
	size_t *next;      /* where the next one goes */
	double *p50, *p95; /* NaN before top_quantiles */
	size_t n;
};

/* What a table shows: which groups, and their durations. */
struct top_shown {
	struct top_rank rank;
	struct top_samples samples;
	enum top_key key;
};

/* Gives each shown group a slot (group.slot) with room for its calls. */
void top_samples_init(struct top_samples *s, const struct top_rank *r, struct top_groups *g);

#endif
