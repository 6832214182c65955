/*
 * Waits: what a device waited for, moment by moment.
 *
 * A gap [a, b) of a device ends with work W, which a call launched that begins at L and ends at M:
 *
 *	  before L              what the launching thread was in: DATA, SYNC, RUNTIME, OP, PYTHON,
 *	                        NOTHING; where that thread was in nothing, what the main thread was
 *	  L to the launch cost  LAUNCH; before it RUNTIME, where the call itself took longer
 *	  after that            DEPENDENCY on work before it; UNRECORDED, when W waits long and is
 *	                        the first that was recorded in its queue: it held older work
 *
 * A thread that a call held up until the device had nothing to do could not launch ahead.  So SYNC
 * lasts from the begin of the gap to the end of that call and for no less than it had waited, but
 * not beyond L: had it not waited, the launch would have come so much earlier.  A call that only
 * begins when the device is idle waits for nothing, whatever its name; but for another device,
 * where there is one.
 *
 * UNRECORDED is no idleness: it leaves the time that shares are of.
 */
#ifndef ANALYZE_MEASURE_GAPS_GAP_CAUSE_H
#define ANALYZE_MEASURE_GAPS_GAP_CAUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/measure/host/hostpath.h"
#include "analyze/measure/phase.h"
#include "analyze/trace/columns/events.h"
#include "base/arena.h"
#include "base/str.h"

struct run;

/* X(NAME, key of columns, word, definition) */
#define GAP_CAUSES(X)                                                                               \
	X(DATA, "dataloader", "data loader",                                                        \
		"before the launch: the launching thread was in the data loader")                   \
	X(SYNC, "sync", "sync",                                                                     \
		"before the launch: a call that waits for the GPU (cudaStreamSynchronize, a "       \
		"copy of pageable memory) held the thread up, or had done so until the gap began: " \
		"then for as long as that call took")                                               \
	X(RUNTIME, "runtime_call", "runtime call",                                                  \
		"the thread was in another runtime call; or in the launching call itself, where "   \
		"that took longer than launching does")                                             \
	X(OP, "cpu_op", "CPU op", "before the launch: the thread was in an operator")               \
	X(PYTHON, "python", "Python",                                                               \
		"before the launch: the thread was in a step or another region, but in no "         \
		"operator or call")                                                                 \
	X(NOTHING, "nothing", "nothing recorded",                                                   \
		"before the launch: nothing was recorded of the thread, nor of the main thread")    \
	X(LAUNCH, "launch", "launch",                                                               \
		"from the start of the launching call: what launching takes (the median of "        \
		"launches that met an idle GPU)")                                                   \
	X(DEPENDENCY, "dependency", "dependency",                                                   \
		"the work was launched, and waited for work before it: what the GPU itself "        \
		"takes between two pieces of work")                                                 \
	X(UNKNOWN, "unknown", "unknown launch", "the launch of the next work is not in the trace")  \
	X(UNRECORDED, "unrecorded", "unrecorded",                                                   \
		"the work was launched long before, and nothing before it was recorded in its "     \
		"queue, which held work from before the recording: no idleness")

enum gap_cause {
#define X(name, key, word, doc) GAP_CAUSE_##name,
	GAP_CAUSES(X)
#undef X
		GAP_CAUSE_COUNT
};

/* What the host is to blame for, the data loader and synchronizing aside. */
#define GAP_CAUSES_HOST                                                          \
	(1u << GAP_CAUSE_RUNTIME | 1u << GAP_CAUSE_OP | 1u << GAP_CAUSE_PYTHON | \
		1u << GAP_CAUSE_NOTHING | 1u << GAP_CAUSE_LAUNCH)

/* A gap of this length or more is a long one: no launch overhead explains it. */
#define GAP_CAUSES_LONG_NS 1000000

/* All of their words, as "a|b|". */
extern const char wait_words[];
/* "data loader", what it is; constant. */
const char *gap_cause_word(enum gap_cause w);
const char *gap_cause_doc(enum gap_cause w);

/* A part of a gap. */
struct gap_cause_part {
	nsec start, end;
	enum gap_cause cls;
	nsec gap_ns; /* the length of the whole gap */
};
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
	uint8_t *is_sync;   /* by sym: 0 not asked, 1 no, 2 a synchronizing call */
	uint8_t *inherits;  /* by place of the host order: what it is in, see gap_cause.c */
	uint32_t main_lane; /* the thread of the steps, else the one with most launches, or NO_ROW
	                     */
	nsec launch_cost;
	bool has_devices; /* more than one */
};

/* Needs order and links; steps are looked at.  Memory is the arena's, but for gap_causes_clear. */
void gap_causes_init(struct gap_causes *w, const struct run *r, struct arena *mem);
void gap_causes_clear(struct gap_causes *w);

/* What is asked of a gap: see struct gap. */
struct wait_question {
	nsec start, end;
	uint32_t prev, next, launch;
	nsec busy; /* of the device, before the gap */
};

/* Calls fn with the parts of a gap, in order; they touch.  O(calls in it). */
void gap_causes_split(
	struct gap_causes *w, const struct wait_question *q, gap_cause_fn *fn, void *ctx);

/* Calls whose name says that they wait for the device: cudaDeviceSynchronize, cudaMemcpy, ... */
bool gap_causes_is_sync_name(struct span name);

#endif
