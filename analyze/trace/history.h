/* A history: what many runs said, one after the other, each as a few figures.
 *
 * Read from a store of baselines (one JSON line a run) or from a CSV file (one row a run); written
 * by `traceq baseline`.  Runs are in the order of the file, which is the order of time. */
#pragma once

#include "base/base.h"
#include "base/table.h"

#define HISTORY_SCHEMA "traceq.baseline/1"

enum {
	HISTORY_RUNS = 100000,  /* at most so many runs */
	HISTORY_FIGURES = 1024, /* and metrics */
	HISTORY_TEXT = 4096     /* bytes of a text */
};

/* One figure of one run. */
struct history_value {
	double centre; /* NaN: the run does not say it */
	double sd;     /* of its values; NaN unknown */
	int64_t count; /* values behind it; -1 unknown */
	double median; /* where centre is the mean of usual steps; NaN: it is what is written */
};

struct history_metric {
	const char *id;
	enum unit unit;
	int better; /* -1 less, 1 more, 0 not said */
	bool is_exact, is_points;
	bool is_median; /* a run says no mean of steps: the others' medians stand beside it */
};

struct history_condition {
	const char *key, *value;
};

struct history_run {
	int64_t time_s;       /* since 1970; INT64_MIN: not said */
	const char *label;    /* what it was called, or its date as written; "" unknown */
	const char *commit;   /* or "" */
	const char *accepted; /* why it counts although it was worse; NULL: it did not have to */
	bool is_pinned;       /* later runs are held against it, however the level went since */
	struct history_condition *condition;
	size_t ncondition;
	struct history_value *v; /* by metric; nv of them, the others are unknown */
	size_t nv;
};

struct history {
	const char *path;
	struct history_metric *metric; /* in the order of first sight */
	size_t nmetric, metric_cap;
	struct history_run *run;
	size_t nrun, run_cap;
	struct arena mem;
};

void history_init(struct history *h, const char *path);
void history_clear(struct history *h);

/* A text of it, owned by it: at most HISTORY_TEXT bytes, a NUL in it as U+FFFD. */
const char *history_text(struct history *h, struct span s);

/* The index of a metric, added when it is new; HISTORY_FIGURES when there is no room.  A NUL in
 * id counts as U+FFFD. */
size_t history_metric(struct history *h, struct span id);

/* A new run, all of it unknown.  Valid until the next one. */
struct history_run *history_add(struct history *h);

/* Sets a figure of a run. */
void history_set(struct history *h, struct history_run *r, size_t metric, struct history_value v);

/* The figure of that run, alike for all runs; centre is NaN when it does not say it. */
struct history_value history_get(const struct history *h, size_t run, size_t metric);

/* The line of a store for a run, with its line feed. */
void history_put_line(struct str *out, const struct history *h, const struct history_run *r);
