/* `gate --history`: what its parts share.  Private to analyze/answer/gate/. */
#pragma once

#include "analyze/answer/gate/gate.h"
#include "analyze/stat/drift.h"

/* Figures along the runs of a store, against the level they began on.  Private to
 * analyze/answer/gate/. */

/* A figure run by run, on the scale it is compared on. */
struct course {
	struct segment_series s;
	double *v; /* of s.v, worse is larger: logarithms where all are positive */
	bool is_log;
	double sign;
	size_t begin, reference; /* see segment_reference */
	struct drift drift;      /* places count from begin */
	double tolerance;        /* of it, on the scale */
};

/* Looks at s (borrowed, from the value `from` on) for a drift of more than the rule tolerates: what
 * was given, else the least that counts.  Memory is the result's. */
void course_init(struct course *c, struct gate *g, const struct segment_series *s,
	const struct gate_rule *rule, size_t from);

/* A value of the scale as it was measured. */
double course_plain(const struct course *c, double v);

/* "since 2026-01-12 (14 runs)", "creeping since 2026-01-12, +0.16% a run"; of a drift found. */
const char *course_since(const struct course *c, const struct gate *g);

/* The series with the runs of new behind those of the history: they count on from its last run. */
void course_append(struct segment_series *s, struct gate *g, const struct metric *now);

/* A figure along the runs, and what is to be said of it. */
struct nightly {
	struct segment_series s;
	const struct gate_rule *rule;
	size_t begin;                     /* of the segment of the newest run */
	double median;                    /* of that segment without the newest */
	double change;                    /* newest against it; ratio, or points */
	double z;                         /* NaN: too few runs, or nothing varies */
	const struct changepoint *recent; /* the last one that counts, or NULL */
	const char *accepted;             /* why that is no failure */
	const struct changepoint *taken;  /* the one that was acknowledged (gate.accept), or NULL */
	struct course course;             /* against the level it began on */
	bool has_drifted;                 /* that is why it fails */
	const char *since;                /* how far it went and since when, or NULL */
	enum verdict_state state;
	const char *message;
};

/* Its newest run against the level; "" where there is no level. */
const char *gate_night_change(const struct gate *g, const struct nightly *w);

/* gate_night.c: what is to be said of a figure whose series and rule are known. */
void gate_judge_night(struct gate *g, struct nightly *w);

/* gate_nights.c: the tables and the verdict of n figures. */
void gate_put_nights(struct gate *g, const struct nightly *w, size_t n);
