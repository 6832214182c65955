/* Metric sets: what can be compared of a side, as samples by run.
 *
 * A metric is one figure with a direction; a sample is what one run says about it: a value for each
 * step or record where there are any, else a summary.  Ranks of a run are reduced before: a step
 * takes as long as its slowest rank. */
#pragma once

#include "analyze/trace/figure.h"
#include "base/base.h"
#include "base/table.h"

struct side;

/* What one run says. */
struct metric_sample {
	const char *run; /* its name in the side; borrowed */
	double *v;       /* by step or record, in order; no NaN */
	size_t n;        /* 0: there is only a summary; then sd and count may be known */
	double centre;   /* the figure that is compared: see struct metric */
	double mean;     /* of v, of traces of all steps, or as the summary says; NaN unknown */
	double sd;       /* of v, n - 1; NaN unknown */
	int64_t count;   /* values behind the summary; n when there are any; -1 unknown */
	int64_t steps;   /* values of the log of which v is only the end; 0: as count */
};

struct metric {
	const char *id;       /* stable word, once in a set: step_time, gpu_busy; others by name */
	const char *title;    /* for people */
	const char *quantity; /* what it is, whoever says it; NULL: as id */
	const char *source;   /* who says it: "trace", a kind of artifact; NULL: nobody knows */
	bool is_log;          /* of a log or summary, not of a trace */
	const struct figure_kind *kind; /* of figures by name; NULL: it has an id of its own */
	double least;   /* absolute: a change below it counts for nothing, beside its table; 0 */
	enum unit unit; /* of values: ns, bytes, ratio, count or none */
	enum metric_better better;
	bool is_exact;  /* a property of the program, not of its speed: counts */
	bool is_points; /* differences are meant in points (ratios), not in per cent of the base */
	bool is_mean;   /* centre is the mean of the values: of times of traces, by usual step */
	struct metric_sample *sample; /* by run, in the side's order; those that say something */
	size_t n;
};

struct metricset {
	struct metric *v; /* traces' metrics in a fixed order, then those of records */
	size_t n;
	size_t left_out; /* figures of records beyond METRICSET_RECORD_MAX */
};

/* The metrics of a side.  Of very long series only the last values are in v.  centre: of traces the
 * mean over usual steps (analyze/stat/exceptions.h), of logs the median of times; sums over sums
 * for throughput; the mean of the last values for losses (statistics.md, 2.3).  Memory is the
 * arena's. */
void metricset_init(struct metricset *m, const struct side *s, struct arena *mem);

/* m by the median of each run's values.  Memory is the arena's. */
struct metric metric_of_medians(const struct metric *m, struct arena *mem);

#define METRIC_LAST_STEP "last_step"
#define METRIC_RECORDS   "records"
#define METRIC_ARTIFACT  "artifact:"
#define METRIC_OUTSIDE   "outside_steps"

/* What runs consist of, as counts: of runs with traces "ranks", "devices" with work, "steps" that
 * all ranks of a run have (none where nothing marks steps); the last step of a log, else how many
 * records it has; and a kind of artifact that says any figure ("artifact:text_log"); beside these
 * the share of busy time outside of all steps ("outside_steps", outside.h).  Memory is the
 * arena's. */
void metricset_parts(struct metricset *m, const struct side *s, struct arena *mem);

enum { METRICSET_RECORD_MAX = 32768 }; /* metrics of records; more names are left out */

/* The part of it that comes from records, into the arena: those with ids of their own first, then
 * figures by source and name.  What two artifacts of a run say is two metrics: of the second the id
 * is "quantity@source", beside traces "log_step_time".  *n receives how many, *left_out how many
 * figures found no room.  For metricset_init. */
struct metric *metricset_record(
	const struct side *s, size_t *n, size_t *left_out, struct arena *mem);

/* How much of a step the mean rank waits for others ("imbalance"), of runs of several ranks whose
 * collectives were kept.  For metricset_init. */
void metricset_wait(struct metric *m, const struct side *s, struct arena *mem);

/* It is the id of one of these. */
bool metric_is_part(const char *id);

/* The metric of that id, or NULL. */
const struct metric *metricset_find(const struct metricset *m, const char *id);

/* What it is a figure of: its quantity, else its id. */
const char *metric_quantity(const struct metric *m);

/* Whether that is its id, its quantity, or the last part of that ("train/loss": "loss"). */
bool metric_is_called(const struct metric *m, const char *name);

/* Somebody says which way is better of the metrics that are called so; returns how many
 * there are. */
size_t metricset_direct(struct metricset *m, const char *name, enum metric_better better);

/* The centre of a side: the geometric mean of its runs' centres when all are positive, else, and
 * of points and means, the mean; NaN for no samples. */
double metric_centre(const struct metric *m);

/* By which share steps are above their median, in the mean. */
#define METRIC_UNEVEN "uneven_steps"

/* ---- samples, for metricset*.c ---- */

/* The sample of a run that one value stands for. */
struct metric_sample metric_sample_one(const char *run, double v);

/* Sums up x->v, which has n values; its centre is their mean, else their median.  False: n is 0. */
bool metric_sample_sum(struct metric_sample *x, size_t n, bool is_mean, struct arena *mem);
