/*
 * `gate --history`: what its parts share.  Private to analyze/answer/gate/.
 */
#ifndef ANALYZE_ANSWER_GATE_GATE_HISTORY_H
#define ANALYZE_ANSWER_GATE_GATE_HISTORY_H

#include "analyze/answer/gate/gate.h"

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
	enum verdict_state state;
	const char *message;
};

/*
 * How a run is called: its day, with its label where others are of that day, too ("2025-11-29
 * run2"); its label where a file says no time; "run 17".
 */
const char *gate_night_name(const struct gate *g, size_t run);
/* "+6.4%", "-2.0 pt" */
const char *gate_night_change(const struct gate *g, const struct nightly *w, double change);

/* gate_nights.c: the tables and the verdict of n figures. */
void gate_put_nights(struct gate *g, const struct nightly *w, size_t n);

#endif
