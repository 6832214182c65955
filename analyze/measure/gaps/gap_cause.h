/* Waits: what a device waited for, moment by moment.
 *
 * A gap [a, b) of a device ends with work W, which a call launched that begins at L and ends at M:
 *
 *	  before L              what the launching thread was in; where that thread was in nothing,
 *	                        or is a loader's (loaders.h), what the main thread was
 *	  L to the launch cost  LAUNCH; before it RUNTIME, where the call itself took longer
 *	  after that            DEPENDENCY on work before it; UNRECORDED, when W waits long and is
 *	                        the first that was recorded in its queue: it held older work
 *	all of it             UNRECORDED, when the thread launched lost work (lost_work.h) between
 *	                        what the gap begins and ends with
 *
 * What a thread was in is said by the innermost call or Python function whose name is a word of
 * gap_words.def (the data loader, the allocator, a checkpoint, logging, garbage collection,
 * compiling); where none is, by what the innermost call is: RUNTIME, OP, PYTHON, NOTHING.
 *
 * QUEUE is a launching call that waits for room in the queue of another device
 * (analyze/measure/device/fullqueue.h): in a run with one, that device has work.
 *
 * SYNC is a call that had waited for the device when the gap began, until it ends: the thread was
 * in it, and could do nothing else.  What the thread does behind it is named by what it does, and
 * is marked: for as long as that call had waited, and not beyond L, it would have been hidden had
 * the call not been: "data loader, behind aten::item".  A call that only begins when the device is
 * idle waits for nothing, whatever its name; but for another device or rank, where there are any.
 *
 * UNRECORDED is no idleness: it leaves the time that shares are of. */
#pragma once

#include "analyze/measure/device/fullqueue.h"
#include "analyze/measure/gaps/gap_words.h"
#include "analyze/measure/gaps/lost_work.h"
#include "analyze/measure/host/hostpath.h"
#include "analyze/measure/host/pyframes.h"
#include "analyze/measure/phase.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

/* A part of a gap. */
struct gap_cause_part {
	nsec start, end;
	enum gap_cause cls;
	nsec gap_ns;   /* the length of the whole gap */
	uint32_t held; /* the call it is behind: but for that it would have been hidden; NO_ROW:
	                  none; of SYNC: that call */
};

/* Whether a part is the sync's rather than the host's, where one of both is to be blamed: a short
 * gap that a sync opened, with nothing in it that has a name. */
static inline bool gap_cause_is_late(const struct gap_cause_part *p)
{
	return p->held != NO_ROW && p->gap_ns < GAP_CAUSES_LONG_NS &&
		(GAP_CAUSES_PLAIN >> p->cls & 1) != 0;
}
typedef void gap_cause_fn(void *ctx, const struct gap_cause_part *p);

/* What is left after the launch cost and longer than this is UNRECORDED before the first work of a
 * queue. */
#define GAP_CAUSES_UNRECORDED_NS 1000000
/* The launch cost where no launch met an idle device. */
#define GAP_CAUSES_LAUNCH_NS 10000

struct gap_causes {
	const struct run *run;
	struct hostpath path;
	struct phases phases;
	struct gap_words words;
	struct pyframes functions; /* Python's, of lanes that were asked about */
	struct lost_work lost;
	struct full_queue queue; /* of a run with several devices */
	uint8_t *is_sync;        /* by sym: 0 not asked, 1 no, 2 a synchronizing call */
	uint8_t *inherits;       /* by place of the host order: what it is in, see gap_cause.c */
	uint32_t main_lane;      /* gap_causes_main_lane */
	bool *is_loader;         /* by lane, or NULL: loaders.h */
	nsec launch_cost;
	bool has_devices; /* more than one */
	bool has_peers;   /* or other ranks': what a call waits for may run there */
};

/* Needs order and links; steps are looked at.  Memory is the arena's, but for gap_causes_clear. */
void gap_causes_init(struct gap_causes *w, const struct run *r, struct arena *mem);
void gap_causes_clear(struct gap_causes *w);

/* The lane of the steps; without steps, the one that launched most device work, or NO_ROW. */
uint32_t gap_causes_main_lane(const struct run *r);

/* What is asked of a gap: see struct gap. */
struct wait_question {
	nsec start, end;
	uint32_t prev, next, launch;
	nsec busy; /* of the device, before the gap */
};

/* Calls fn with the parts of a gap, in order; they touch.  O(calls in it). */
void gap_causes_split(
	struct gap_causes *w, const struct wait_question *q, gap_cause_fn *fn, void *ctx);

/* The outermost operator around a call with nothing but operators in between ("aten::item"); the
 * call itself where none is. */
uint32_t gap_causes_op_around(struct gap_causes *w, uint32_t row);

/* Calls whose name says that they wait for the device: cudaDeviceSynchronize, cudaMemcpy, ... */
bool gap_causes_is_sync_name(struct span name);
