/* Segments of a history: the level a figure is on now, and where it changed. */
#pragma once

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
	size_t pinned;   /* of v: the first run that is pinned since then; n: none is */
	size_t npinned;  /* pinned ones, from there on in a row */
	struct changepoint *point;
	size_t npoint;
};

struct segment_options {
	size_t window;
	double alpha, min_change;
	/* The machine that figures are levelled to, where the runs of several say on which they
	 * were; NULL: it is not known. */
	const char *host;
};

enum { MACHINE_RUNS = 3 }; /* of each of two machines, to tell how they differ */

/* What a run says under a key ("host"); "" where it does not. */
const char *segment_condition(const struct history *h, size_t run, const char *key);

/* What gate takes where nobody says otherwise. */
extern const struct segment_options segment_usual;

/* Fewer runs than this have no change points. */
enum { SEGMENT_LEAST = 10 };

/* The figure of that index, with its change points.  Memory is the arena's. */
void segment_series(struct segment_series *s, const struct history *h, size_t metric,
	const struct segment_options *o, struct arena *mem);

/* The first value of the level that holds the last value of v[0..n): behind the last change that is
 * solid.  An acknowledged change begins one, too. */
size_t segment_begin(const struct segment_series *s, size_t n, double alpha);

/* How much runs of one level differ, over the last SEGMENT_NOISE runs: each against the mean of its
 * own level; is_log: as logarithms.  *df receives the degrees of freedom.  NaN with fewer than 4 of
 * them, or where a value has no logarithm. */
enum { SEGMENT_NOISE = 40 };
double segment_noise(const struct segment_series *s, double alpha, bool is_log, double *df);

/* A change of level that is one beyond doubt: the place was chosen among n, so that p counts n
 * times. */
bool segment_is_solid(const struct segment_series *s, const struct changepoint *c, double alpha);

/* The first value of the level that all later ones are held against: the first pinned run, else the
 * run whose change was acknowledged last, else v[from]; and without a pin, of solid levels since
 * then the best one.  *runs receives how many values are the reference; 0: as many as
 * DRIFT_REFERENCE. */
size_t segment_reference(const struct segment_series *s, size_t from, double alpha, size_t *runs);

/* The direction that a metric's name says (analyze/trace/figure.h), for files that do not; less is
 * better of names that say none. */
enum metric_better segment_better(const char *id);

/* The runs of the current segments as a set of metrics: what a new run is compared with.  A run has
 * a sample in each metric whose segment it is in. */
void segment_metricset(struct metricset *m, const struct history *h,
	const struct segment_options *o, struct arena *mem);
