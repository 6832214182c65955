/*
 * Gathering metrics of records.  Private to analyze/compare/metricset*.c.
 */
#ifndef ANALYZE_COMPARE_METRICSET_GATHER_H
#define ANALYZE_COMPARE_METRICSET_GATHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/compare/metricset.h"

struct record;
struct series;
struct side_run;

struct gathering {
	struct metric *v;
	size_t n;
	size_t run, nrun;
	bool has_traces;           /* a run of the side has */
	const struct side_run *of; /* the run being looked at */
	struct arena *mem;
};

/* The metric of that id, made `as` when it is new; NULL: there is no room. */
struct metric *gathering_metric(struct gathering *g, const char *id, struct metric as);

/* The sample of this run to fill; NULL: the metric has one already, or m is NULL. */
struct metric_sample *gathering_sample(struct gathering *g, struct metric *m);

/* That of a metric with an id of its own, or of its counterpart beside traces. */
struct metric_sample *gathering_own(struct gathering *g, const char *id);

/* By the order of ids, then by name. */
void gathering_sort(struct gathering *g);

/* metricset_series.c: a series' metric, and whether it is a loss that diverged. */
void gathering_series(struct gathering *g, const struct series *s, int64_t warmup);

/* metricset_series.c: whether allocated memory leaks, where a log measured it. */
void gathering_leak(struct gathering *g, const struct record *r);

#endif
