/*
 * Figures along the runs of a store, against the level they began on.  Private to
 * analyze/answer/gate/.
 */
#ifndef ANALYZE_ANSWER_GATE_GATE_DRIFT_H
#define ANALYZE_ANSWER_GATE_GATE_DRIFT_H

#include "analyze/answer/gate/gate.h"
#include "analyze/stat/drift.h"

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

/*
 * Looks at s (borrowed, from the value `from` on) for a drift of more than the rule tolerates: what
 * was given, else the least that counts.  Memory is the result's.
 */
void course_init(struct course *c, struct gate *g, const struct segment_series *s,
	const struct gate_rule *rule, size_t from);

/* A value of the scale as it was measured. */
double course_plain(const struct course *c, double v);

/* "since 2026-01-12 (14 runs)", "creeping since 2026-01-12, +0.16% a run"; of a drift found. */
const char *course_since(const struct course *c, const struct gate *g);

/* The series with the runs of new behind those of the history: they count on from its last run. */
void course_append(struct segment_series *s, struct gate *g, const struct metric *now);

#endif
