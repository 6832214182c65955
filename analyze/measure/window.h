/* The window: the time that a run's figures are about, and where it goes on each device.
 *
 * A run has one window, and all answers speak of it: the steps that count (stepstat.h: of those
 * that --steps takes the first and the last are set aside when five or more remain, and those that
 * are odd unless all are); where nothing marks steps, from the first launch to the end of the last
 * device work (steps.h).
 *
 * Odd is also a step in which a device waits for what has a word and usual steps hardly do: an
 * allocator, a checkpoint, logging, garbage collection, compiling.  Of a server's batches prefills
 * are odd, or decodes, whichever are fewer.
 *
 * For each device, in integer ns, always:
 *
 *	ns = compute + exposed comm + exposed memcpy + idle        (ledger.h)
 *	idle = data loader + sync + ... + dependency + unrecorded  (gap_cause.h)
 *
 * Shares are of ns less unrecorded: a queue that holds work from before the recording is no
 * idleness.  GPU busy is the union of device work inside of the window over that, and nothing else
 * is called so. */
#pragma once

#include "analyze/measure/account.h"
#include "analyze/measure/interval.h"
#include "analyze/measure/step_kinds.h"
#include "analyze/measure/stepstat.h"
#include "analyze/measure/typical.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

/* With more of the busy time outside of all steps, these say little of the run. */
#define WINDOW_OUTSIDE_MUCH 0.1
/* Less of a run between its steps is not looked at. */
#define WINDOW_BETWEEN_MIN 0.05

struct window {
	struct stepstat stat;
	uint8_t *word; /* by position in stat: the enum gap_cause that makes it odd, or
	                  GAP_CAUSE_COUNT; of a server's batch STEP_KIND_PREFILL, _DECODE */
	struct step_kinds kinds;
	bool has_steps;        /* false: the whole run is the one step, and nothing is "per step" */
	bool *counts;          /* by step of the run: it is in the window; NULL: all are */
	size_t nstep;          /* steps that count; 1 without steps */
	nsec ns;               /* the sum of their durations */
	nsec lead_in;          /* without steps: from the first thing recorded to the window */
	uint32_t *step;        /* nstep indexes in run->steps ... */
	struct interval *time; /* ... and when they are */
	struct typical typical;
	struct account *device;
	nsec run;        /* from the first step to the end of the last, where annotations make steps
	                    and leave WINDOW_BETWEEN_MIN of it out; else 0 */
	bool is_serving; /* steps are batches of a server */
	size_t ndevice;  /* those of the ledgers that have figures by step */
	double busy;     /* GPU busy: mean of the devices; NaN without any */
};

/* Idle of device d of the ledgers, whose id that is, from the begin of a step to the end of a later
 * one, but in none of the steps from the one to the other; *run: how long that is, *busy: its work
 * in it.  O(its work + steps). */
nsec window_between(const struct run *r, const struct ledgers *l, size_t d, int64_t id,
	size_t first, size_t last, nsec *run, nsec *busy);

/* v chose ledgers and waiting.  Memory is the arena's.  O(steps x devices). */
void window_init(struct window *w, const struct run *r, const struct filter_view *v,
	const struct ledgers *l, const struct step_gap_causes *waiting, struct arena *mem);

/* The window's `busy` alone, where nothing else of it is wanted: cheaper, unless the filter leaves
 * lanes or kinds out or something is unrecorded. */
double window_busy(const struct run *r, const struct filter_view *v, struct arena *mem);

/* v, its steps only those that count; borrows w. */
struct filter_view window_view(const struct window *w, const struct filter_view *v);

/* Stretches of time cut where the steps of a window begin and end.
 *
 * Steps ascend by start, and may overlap: what lies in two of them is given with each. */

struct stepcut {
	const struct interval *time; /* the window's, by step */
	size_t n;
	nsec *latest;    /* by step: the latest end of those up to it */
	nsec start, end; /* of all of them; 0 without any */
};

/* Borrows the window's steps; memory is the arena's.  O(steps). */
void stepcut_init(struct stepcut *c, const struct window *w, struct arena *mem);

/* Called with what of a stretch is in a step (index in time). */
typedef void stepcut_fn(void *ctx, uint32_t step, nsec start, nsec end);

/* Calls fn for each step with what of [start, end) is in it, the last step first.  *near is 0 at
 * first, and kept by one who asks for what lies close together.  O(log steps). */
void stepcut_each(
	const struct stepcut *c, size_t *near, nsec start, nsec end, stepcut_fn *fn, void *ctx);
