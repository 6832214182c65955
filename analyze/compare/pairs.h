/* Pairs: the metrics of two sides, each with what it is to be compared with. */
#pragma once

#include "analyze/compare/metricset.h"

struct metric_pair {
	const struct metric *base, *now; /* NULL: that side does not say it; never both */
};

struct metric_pairs {
	struct metric_pair *v; /* base's in their order, then what new alone says in its own */
	size_t n;
};

/* The same quantity from the same source; else, where each side has one source of it that the other
 * has not, those.  What traces say is never compared with what logs say; where a source is not
 * known (histories) the id decides.  Memory is the arena's.  O(metrics). */
void metric_pairs_init(struct metric_pairs *p, const struct metricset *base,
	const struct metricset *now, struct arena *mem);

/* The metric of the pair that says what it is: base's where there is one. */
const struct metric *metric_pair_any(const struct metric_pair *p);
