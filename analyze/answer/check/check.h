/*
 * `check`: what its parts share.  Private to analyze/answer/check/.
 */
#ifndef ANALYZE_ANSWER_CHECK_CHECK_H
#define ANALYZE_ANSWER_CHECK_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/analysis/perrun.h"
#include "analyze/trace/run.h"
#include "base/opt.h"

/* Where a trace stops being reliable.  In per cent, as the definitions name them. */
enum {
	CHECK_LOST_MAX_PERCENT = 1, /* of events, or of the text, lost */
	/* Of device events that were launched while calls were recorded, those without launch. */
	CHECK_UNLINKED_MAX_PERCENT = 50,
	/* Up to this a note. */
	CHECK_UNLINKED_FEW_PERCENT = 1,
	CHECK_BEFORE_FEW_PERCENT = 1, /* of device events before their call: up to this a note */
	CHECK_OVERLAP_MAX_PERCENT = 1 /* of host slices that cross: a warning */
};

struct check_options {
	int64_t limit; /* rows of the tables of launches, for people; below 0: a few; 0: all */
	bool all;      /* people see the good rows, too */
	bool analysis; /* parts of the documents' layout */
	bool report;
};

/* What cannot be read off the run, the tally and the links: one pass each over host and device. */
struct check_counts {
	int64_t device;          /* device events */
	int64_t host;            /* rows of the op tree */
	int64_t lost;            /* events that are not in the numbers */
	int64_t no_category;     /* events without cat, M events included */
	int64_t unfinished, cut; /* rows without their own end; open at the window's end */
	int64_t overlaps;        /* rows of the op tree that cross another one */
	int64_t zero_duration, no_correlation; /* device events */
	int64_t before_launch;                 /* device events that start before their call does */
	int64_t outside_ops;    /* device events with a launch that is in no op and no annotation */
	int64_t no_external_op; /* device events whose External id no op has */
	int64_t queued;         /* device events that were launched before recording began */
	nsec unlinked_ns, outside_ops_ns;
	int64_t steps_incomplete;
	/* The first row of each, or NO_ROW. */
	uint32_t first_unfinished, first_cut, first_overlap, first_zero, first_unlinked,
		first_queued, first_no_correlation, first_before, first_incomplete;
};

#define HEALTHS(X)          \
	X(VERDICT_OK, "ok") \
	X(VERDICT_NOTE, "note") X(VERDICT_WARNING, "warning") X(VERDICT_IS_BAD, "bad")
enum health { HEALTHS(OPT_ID) };

/* One run being checked. */
struct check {
	struct perrun *at;
	const struct check_options *o;
	struct check_counts n;
	int64_t verdicts[4]; /* how many of each, so far */
	enum health worst;
	const char *why; /* what the worst found; NULL when they are no warnings */
};

/* check_count.c */
void check_count(struct check *c);

/*
 * check_queued.c: whether a device event was launched before recording began, by device side row;
 * the caller frees.  O(events).
 */
bool *check_find_queued(const struct run *r) MUST_CHECK;

/* check_health.c: the table of checks. */
void check_health_tables(struct check *c);
/* The ids in that table, problems of files aside. */
enum { CHECK_WORDS = 22 };
extern const struct analysis_word check_words[CHECK_WORDS];

/* check_record.c: what a run folder has beside its trace. */
void check_record_tables(struct check *c);

/* check_seed.c: the documents' layout; false when it says INVALID. */
bool check_put_seed(struct check *c);

/* check_launch.c: launches in figures. */
void check_launch_tables(struct check *c);

#define TABLES_DEF "analyze/answer/check/check_tables.def"
#include "base/table_names_impl.h"

/* check_health.c: takes `count` verdicts into the run's; why: what they found. */
void check_judge(struct check *c, enum health v, int64_t count, const char *why);

/* check_runs.c: a row for each rank of a job. */
extern const struct runs_doc check_runs;

#endif
