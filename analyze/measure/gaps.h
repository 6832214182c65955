/*
 * Gaps: the time between pieces of device work, and what each was for.
 *
 * A gap lies between the latest end of all work so far and the next start; work that overlaps
 * leaves none.
 *
 *	  stream 7   [-------A-------)            [--C--)
 *	  stream 9       [--B--)
 *
 * The device's only gap is from the end of A to the start of C; stream 9 has none, as nothing
 * follows B.
 *
 * Gaps of a device look at all of its streams, gaps of a stream at that stream alone: a stream may
 * wait while its device is busy.
 */
#ifndef ANALYZE_MEASURE_GAPS_H
#define ANALYZE_MEASURE_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/measure/hostpath.h"
#include "analyze/measure/interval.h"
#include "analyze/measure/phase.h"
#include "analyze/trace/events.h"
#include "base/arena.h"
#include "base/str.h"

struct filter_view;
struct run;

/* HTA's consecutive_kernel_delay: 30 us. */
#define GAPS_KERNEL_WAIT_NS 30000

/*
 * X(NAME, word, definition).  The first that holds: DATA, SYNC, HOST; KERNEL; OTHER.
 * Source: HTA hta/analyzers/breakdown_analysis.py, _analyze_idle_time_for_stream, where DATA, SYNC
 * and HOST are one class; and its previous end is that of the row before, ours the latest so far.
 */
#define GAP_CLASSES(X)                                                                                 \
	X(HOST, "host wait",                                                                           \
		"the next work was launched only after all work before it had ended, for no reason "   \
		"named below: operators, Python, launch cost")                                         \
	X(DATA, "dataloader",                                                                          \
		"launched too late, as above, while the thread that launched it, or the main thread, " \
		"spent more than half of the gap in the data loader")                                  \
	X(SYNC, "sync",                                                                                \
		"launched too late, as above, and the thread that launched it was in a synchronizing " \
		"call when the gap began, or for more than half of it, so it could not launch ahead")  \
	X(KERNEL, "kernel wait",                                                                       \
		"the next work was launched already, and the gap is shorter than the threshold")       \
	X(OTHER, "other",                                                                              \
		"launched already and a gap of the threshold or more; or the launch is not in the "    \
		"trace; or no work follows in the steps looked at")

enum gap_class {
#define X(name, word, doc) GAP_##name,
	GAP_CLASSES(X)
#undef X
		GAP_CLASS_COUNT
};

struct gap {
	nsec start, end; /* end > start */
	uint32_t prev;   /* device row that ended last, or NO_ROW before the first */
	uint32_t next;   /* device row whose start ends the gap, or NO_ROW behind the last */
	uint32_t launch; /* the call that launched `next`, or NO_ROW */
	uint32_t doing;  /* host row: innermost call that covers more than half of the gap, on the
	                    launching thread, else on the main thread; NO_ROW when there is none, or
	                    the class is KERNEL: the CPU was ahead */
	nsec doing_ns;   /* how much of the gap that covers */
	bool is_late;    /* launched after all work before it had ended: HTA's host wait */
	enum gap_class cls;
};

/* Called in the order of time. */
typedef void gap_fn(void *ctx, const struct gap *g);

struct gaps {
	const struct run *run;
	const struct filter_view *view; /* lanes, kinds and steps; NULL: all */
	nsec kernel_wait_ns;
	struct hostpath path;
	struct phases phases;
	uint8_t *is_sync;        /* by sym: 0 not asked, 1 no, 2 a synchronizing call */
	uint32_t main_lane;      /* the thread of the steps, else the one with most launches, or
	                            NO_ROW */
	struct intervals window; /* the steps looked at; empty without --steps */
	struct arena mem;
};

/*
 * Needs order, links and, where v has steps, steps.  kernel_wait_ns: the threshold.  v is borrowed
 * and may be NULL.  O(n).  Released by gaps_clear.
 */
void gaps_init(
	struct gaps *g, const struct run *r, const struct filter_view *v, nsec kernel_wait_ns);
void gaps_clear(struct gaps *g);

/*
 * Calls fn for each gap of a device, or of a device lane.  Without --steps from the first start to
 * the last end, so the gaps' sum is span less busy.  With --steps the parts of gaps inside the
 * steps (their CPU ranges), with what is before the first work and behind the last, so that it is
 * the steps' wall time less busy.  Work on lanes and of kinds that the filter leaves out does not
 * exist. O(n log lanes).
 */
void gaps_of_device(struct gaps *g, int64_t device, gap_fn *fn, void *ctx);
void gaps_of_stream(struct gaps *g, uint32_t lane, gap_fn *fn, void *ctx);

/* "host wait", ...; constant. */
const char *gap_word(enum gap_class c);

/* Sums by class; zero-initialise. */
struct gap_sums {
	nsec ns[GAP_CLASS_COUNT], max[GAP_CLASS_COUNT];
	int64_t count[GAP_CLASS_COUNT];
	nsec all_ns; /* of all classes */
	int64_t all;
	nsec late_ns; /* HTA's host wait: HOST + DATA + SYNC */
};

/* A gap_fn: ctx is a struct gap_sums. */
void gap_sums_add(void *ctx, const struct gap *g);

/* Calls whose name says that they wait for the device: cudaDeviceSynchronize, cudaMemcpy, ... */
bool gaps_is_sync_name(struct span name);

#endif
