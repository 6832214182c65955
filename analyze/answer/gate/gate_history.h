/* `gate --history`: what its parts share.  Private to analyze/answer/gate/. */
#ifndef ANALYZE_ANSWER_GATE_GATE_HISTORY_H
#define ANALYZE_ANSWER_GATE_GATE_HISTORY_H

#include "analyze/answer/gate/gate_drift.h"

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

#endif
