/*
 * The longest gaps of all that come.
 */
#ifndef ANALYZE_MEASURE_GAPS_LONGGAPS_H
#define ANALYZE_MEASURE_GAPS_LONGGAPS_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/measure/gaps/gaps.h"

/* A gap of a device. */
struct long_gap {
	struct gap gap;
	int64_t device;
};

/* Set the limit before the first; long_gaps_clear frees. */
struct long_gaps {
	size_t limit;
	struct long_gap *v; /* at least the longest `limit` of those that came */
	size_t n, cap;
	nsec least;  /* a shorter gap is none of the longest */
	int64_t all; /* how many came */
};

void long_gaps_add(struct long_gaps *l, const struct gap *g, int64_t device);
void long_gaps_clear(struct long_gaps *l);

/* The longest `limit`, n of them: the longest first, then by time and device.  O(n log n). */
void long_gaps_sort(struct long_gaps *l);

#endif
