/*
 * Metric sets: what can be compared of a side, as samples by run.
 *
 * A metric is one figure with a direction; a sample is what one run says about it: a value for each
 * step or record where there are any, else a summary.  Ranks of a run are reduced before: a step
 * takes as long as its slowest rank.
 */
#ifndef ANALYZE_COMPARE_METRICSET_H
#define ANALYZE_COMPARE_METRICSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/table.h"

struct side;

enum metric_better { BETTER_LOWER = -1, BETTER_NONE = 0, BETTER_HIGHER = 1 };

/* What one run says. */
struct metric_sample {
	const char *run; /* its name in the side; borrowed */
	double *v;       /* by step or record, in order; no NaN */
	size_t n;        /* 0: there is only a summary; then sd and count may be known */
	double centre;   /* the figure that is compared: see struct metric */
	double mean;     /* of v, or as the summary says; NaN unknown */
	double sd;       /* of v, n - 1; NaN unknown */
	int64_t count;   /* values behind the summary; n when there are any; -1 unknown */
	int64_t steps;   /* values of the log of which v is only the end; 0: as count */
};

struct metric {
	const char *id;    /* stable word: step_time, gpu_busy, ...; series of logs by their name */
	const char *title; /* for people */
	bool is_log;       /* of a log or summary, not of a trace */
	enum unit unit;    /* of values: ns, bytes, ratio, count or none */
	enum metric_better better;
	bool is_exact;  /* a property of the program, not of its speed: counts */
	bool is_points; /* differences are meant in points (ratios), not in per cent of the base */
	bool is_mean;   /* centre is the mean of the values; nothing in a metricset is */
	struct metric_sample *sample; /* by run, in the side's order; those that say something */
	size_t n;
};

struct metricset {
	struct metric *v; /* traces' metrics in a fixed order, then those of records by name */
	size_t n;
};

/*
 * The metrics of a side.  Of very long series only the last values are in v.  centre: the median of
 * step times and of what is per step; sums over sums for throughput; the mean of the last values
 * for losses (statistics.md, 2.3).  Memory is the arena's.
 */
void metricset_init(struct metricset *m, const struct side *s, struct arena *mem);

/*
 * What runs consist of, as counts: "ranks", "devices" with work, "steps" that all ranks of a run
 * have (none where nothing marks steps).  Of runs with traces.  Memory is the arena's.
 */
enum { METRICSET_PARTS = 3 };
void metricset_parts(struct metricset *m, const struct side *s, struct arena *mem);

enum { METRICSET_RECORD_MAX = 1000 }; /* metrics of records; more names are left out */

/*
 * The part of it that comes from records, into v (room for METRICSET_RECORD_MAX): those with ids of
 * their own first, then series by name; returns how many.  For metricset_init.
 */
size_t metricset_record(struct metric *v, const struct side *s, struct arena *mem);

/* The metric of that id, or NULL. */
const struct metric *metricset_find(const struct metricset *m, const char *id);

/*
 * What m, of the one side, is to be compared with in the other: the metric of the same id that also
 * comes from traces, or also from logs.  A log's step times stand beside those of traces where
 * there are any (log_step_time), else in their place.  NULL: there is none.
 */
const struct metric *metricset_match(const struct metricset *other, const struct metric *m);

/* The centre of a side: the geometric mean of its runs' centres when all are positive, else, and
 * of points and means, the mean; NaN for no samples. */
double metric_centre(const struct metric *m);

#endif
