/*
 * Segments of a history: the level a figure is on now, and where it changed.
 */
#ifndef ANALYZE_COMPARE_SEGMENT_H
#define ANALYZE_COMPARE_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/compare/metricset.h"
#include "analyze/stat/changepoint.h"

struct history;

/* The runs that say one figure, in order. */
struct segment_series {
	const char *id;
	enum unit unit;
	enum metric_better better;
	bool is_exact, is_points;
	double *v;
	size_t *run; /* index of each in the history */
	size_t n;
	size_t accepted; /* of v: the last run whose change was acknowledged; else 0 */
	struct changepoint *point;
	size_t npoint;
};

struct segment_options {
	size_t window;
	double alpha, min_change;
};

/* Fewer runs than this have no change points. */
enum { SEGMENT_LEAST = 10 };

/* The figure of that index, with its change points.  Memory is the arena's. */
void segment_series(struct segment_series *s, const struct history *h, size_t metric,
	const struct segment_options *o, struct arena *mem);

/* The first value of the segment that holds the last value of v[0..n).  An acknowledged change
 * begins one, too. */
size_t segment_begin(const struct segment_series *s, size_t n);

/*
 * The direction that a metric's name says, for files that do not: more is better for throughput,
 * utilization, accuracy and reward; else less.
 */
enum metric_better segment_better(const char *id);

/*
 * The runs of the current segments as a set of metrics: what a new run is compared with.  A run has
 * a sample in each metric whose segment it is in.
 */
void segment_metricset(struct metricset *m, const struct history *h,
	const struct segment_options *o, struct arena *mem);

#endif
