/* Marks: what is known of a run, and where in time that is; for those who write it beside the
 * events of a trace, or cut the trace around it.
 *
 * A source makes marks of one run, through a filter, as its answer has them: the segments of
 * `critical`, the gaps of `idle`, the findings of `diagnose`, the steps of `steps`. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct analyses;
struct filter;
struct run;
struct settings;

/* X(NAME, word) */
#define MARK_SOURCES(X)                                                                       \
	X(CRITICAL, "critical") /* the segments of the critical path, and where it goes on */ \
	X(IDLE, "idle")         /* the gaps of each device, with their cause */               \
	X(FINDINGS, "findings") /* what 'traceq diagnose' found, where it is worst */         \
	X(STEPS, "steps")       /* steps as figures see them, and how busy devices are in each */

#define MARK_ID(name, ...) MARK_##name,
enum mark_source { MARK_SOURCES(MARK_ID) MARK_SOURCE_COUNT };

enum mark_kind { MARK_SLICE, MARK_INSTANT, MARK_COUNTER };

/* key: constant, or the marks' memory.  A number where the text has no bytes (p is NULL). */
struct mark_arg {
	const char *key;
	struct span text;
	double number;
};

#define MARK_NO_DEVICE INT64_MIN

struct mark {
	enum mark_kind kind;
	const char *lane; /* whose row it is to stand in: "critical path", "idle, device 0" */
	struct span name; /* of counters: what is counted */
	nsec start, dur;  /* as in run->events; dur is 0 of all but slices */
	const struct mark_arg *arg; /* of counters: the values, all of them numbers */
	size_t narg;
	struct span id; /* as answers have it (measure/place_id.h); n is 0: none */
	uint32_t row;   /* the event it is about, or NO_ROW */
	uint32_t on;    /* the lane of run->lanes that it is about: pid and tid; or NO_ROW */
	int64_t device; /* or MARK_NO_DEVICE */
};

/* From the end of one mark to the start of another, as arrows between lanes. */
struct mark_flow {
	size_t from, to; /* indexes of marks */
};

struct marks {
	struct mark *v; /* by start; then the longer first, then in the order of lanes and names */
	size_t n;
	struct mark_flow *flow; /* ascending */
	size_t nflow;
	size_t nleft; /* left out, as there are more than the limit: the shortest; of steps the last
	               */
};

enum { MARKS_MAX = 200000 };

/* What marks are made of.  Pointers are borrowed. */
struct mark_request {
	const struct analyses *analyses; /* whose findings they are */
	const struct run *run;           /* loaded with marks_needs (marks.h), its indexes built */
	const struct filter *filter; /* as for answers; those that mean nothing are passed over */
	const struct settings *settings; /* diagnose's limits; NULL: everything built in */
	nsec least;                      /* gaps shorter than this are none */
	size_t limit;                    /* marks at most; 0: MARKS_MAX */
	unsigned threads;                /* 0: one per core */
};
