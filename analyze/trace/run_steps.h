/* Steps: the training or inference iterations of a run.
 *
 * Marked by ProfilerStep#N on the CPU; else by an annotation that repeats and has most of the run
 * in it (execute_N of a server, a loop's own region); else the whole run is one step, from the
 * first launch to the end of the last device work (source says which).
 *
 * A step has two ranges.  The host's is its mark: calls belong to the step they start in, device
 * work to the step its launch starts in.  The other is what its figures are about: the same, but
 * where the host runs ahead of the device it is cut on the device, from the first work that step n
 * launched to the first that step n + 1 launched, on the stream with the most computing, or another
 * that keeps pace with it:
 *
 *	  thread    [#1][#2][#3]                             launches of one step
 *	  stream      [ 1 work      ][ 2 work      ][ 3 work     ]
 *	  steps       [ #1          )[ #2          )[ #3         ) */
#pragma once

#include "analyze/trace/columns/events.h"
#include "analyze/trace/serving.h"
#include "base/base.h"

struct lane;
struct run;

enum step_source { STEPS_PROFILER, STEPS_ANNOTATION, STEPS_WHOLE };

/* Whether the end of a recording cut a step off.
 *
 *	looks  the last one with device work, when it has fewer than 0.8 of the device events of the
 *	       step before (the TensorBoard plugin's rule): it may do less
 *	is     its mark was open, or it launched what is not in the trace; and those behind, without
 *	       device work */
enum incomplete { STEP_IS_WHOLE, STEP_LOOKS_CUT_OFF, STEP_IS_CUT_OFF };

struct step {
	int64_t number;            /* N of ProfilerStep#N, else 0, 1, 2 ... */
	uint32_t mark_plus_1;      /* row + 1 of its event, 0: none; ask step_event() */
	nsec start, end;           /* what its figures are about */
	nsec host_start, host_end; /* of its mark; the same unless cut on the device */
	enum incomplete incomplete;
	enum serving serving; /* what of a server's batch an annotation says: its mark, or one in it
	                       */
	uint32_t first_plus_1; /* cut on the device: row + 1 of the work it begins with; 0: not
	                          known */
	int64_t ndevice;       /* device events launched inside; -1 when links are not there */
};

struct steps {
	enum step_source source;
	bool on_device; /* start and end are cut on the device: the host runs ahead */
	double delay; /* median time for which work of steps before still runs when a step launches
	                 its first on the busiest stream, ns; NaN: unknown */
	sym name;     /* of the first step's event, or 0 */
	bool is_serving;   /* steps are batches of a server */
	struct step *step; /* by start */
	size_t n;
	size_t others; /* marks of other processes, whose steps take less: they are left out */
	/* By device side row: index of the step the launch starts in (where there is no launch, the
	 * event itself), or NO_ROW when outside. */
	uint32_t *of_device;
};

/* Needs order and, when there are launches, links.  Freed by steps_free. */
struct steps *steps_build(const struct run *r);
void steps_free(struct steps *s);

/* The event that marks a step.  There may be none: the whole run as one step has none, and a cut
 * may have lost it.  False, or nothing, then: there is no row to be used as an index by mistake. */
bool step_event(const struct step *s, uint32_t *row) MUST_CHECK;
/* Cut on the device, the row of the work that a step begins with at that time; NO_ROW: not known.
 * O(log n). */
uint32_t steps_first_work(const struct steps *s, nsec at);
/* The thread that the mark is on: its index in run->lanes; false without a mark. */
bool step_lane(const struct run *r, const struct step *s, uint32_t *lane) MUST_CHECK;
/* The mark's name; empty without one. */
struct span step_name(const struct run *r, const struct step *s);
/* The thread that the mark is on; NULL without one. */
const struct lane *step_thread(const struct run *r, const struct step *s);
/* The thread of a run's steps: that of the first that has a mark; false when none has. */
bool steps_lane(const struct run *r, uint32_t *lane) MUST_CHECK;

/* How many steps have begun on the host at time t: the first so many, since steps ascend.
 * O(log n). */
size_t steps_begun(const struct steps *s, nsec t);

/* The step begun last on the host, if it contains time t (host_start <= t < host_end), or NO_ROW.
 * O(log n). */
uint32_t steps_at(const struct steps *s, nsec t);

/* The same as the step's number; false when in none, or when the run has no steps.  s: or NULL. */
bool steps_number_at(const struct steps *s, nsec t, int64_t *number);

/* The same of what figures are about (start <= t < end). */
bool steps_number_around(const struct steps *s, nsec t, int64_t *number);

/* steps_at, where most times are in the step of the one before (`last`, or NO_ROW).  No answer
 * depends on what was asked before, also where steps overlap. */
uint32_t steps_near(const struct steps *s, nsec t, uint32_t last);
