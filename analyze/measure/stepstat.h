/* Statistics of steps: which of them count, their median and spread, and which are odd.
 *
 * Medians set the first and the last step aside when five or more remain, and what the end of the
 * recording cut off, where other steps are there.  Odd is one whose
 * duration is an exception (analyze/stat/exceptions.h) among those that are whole; of too few to
 * say so, a slow first one. */
#pragma once

#include "analyze/stat/ramp.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct filter_view;
struct run;

enum {
	STEPSTAT_REMAINING_MIN = 5,       /* first and last are set aside when so many remain */
	STEPSTAT_SLOW_FIRST_PERCENT = 150 /* of the others' median: a first step beyond is slow */
};

enum step_mark {
	STEP_SLOW_FIRST = 1, /* the first of the run, beyond STEPSTAT_SLOW_FIRST_PERCENT */
	STEP_SLOW = 2,       /* not as usual, above the median; not the first of the run */
	STEP_FAST = 4,       /* not as usual, below the median */
	STEP_INCOMPLETE = 8  /* struct step.incomplete */
};

struct stepstat {
	bool has_steps;              /* false: the whole trace is the one step */
	size_t n;                    /* steps the filter takes */
	uint32_t *step;              /* their indexes in run->steps, ascending */
	uint8_t *mark;               /* enum step_mark of each, by position in `step` */
	bool *odd;                   /* the same: it is not as the usual steps are */
	size_t from, count;          /* step[from .. from + count) count for medians */
	double median;               /* of the durations that count, ns; NaN when n is 0 */
	nsec min, max;               /* of the durations that count */
	double mad;                  /* median absolute deviation from the median, ns */
	double first_ratio;          /* the run's first step over the median of all others; NaN */
	nsec sum;                    /* of all n durations */
	size_t incomplete, outliers; /* how many are marked so; are odd */
	struct ramp ramp;            /* of those that are not: by position, in ns */
};

/* Needs steps built.  v may be NULL: all steps.  Memory is the arena's.  O(n). */
void stepstat_init(
	struct stepstat *s, const struct run *r, const struct filter_view *v, struct arena *mem);

/* Says anew which are odd, where some (by position) are known to be. */
void stepstat_find_odd(
	struct stepstat *s, const struct run *r, const bool *known, struct arena *mem);

/* The duration of the i-th step taken. */
nsec stepstat_dur(const struct stepstat *s, const struct run *r, size_t i);

/* The median of v[from .. from + count), v by position; v keeps its order.  NaN for none. */
double stepstat_median(const struct stepstat *s, const int64_t *v, struct arena *mem);

/* Words for people: "slow first", "slow, incomplete"; "" for no mark.  Constant. */
const char *stepstat_words(unsigned mark);
