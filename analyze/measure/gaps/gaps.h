/* Gaps: the time between pieces of device work, and what each was for.
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
 * wait while its device is busy.  What the time in a gap was for: gap_cause.h. */
#pragma once

#include "analyze/measure/gaps/gap_cause.h"
#include "analyze/measure/interval.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct gap {
	nsec start, end; /* end > start */
	uint32_t prev;   /* device row that ended last, or NO_ROW before the first */
	uint32_t next;   /* device row whose start ends the gap, or NO_ROW behind the last */
	uint32_t launch; /* the call that launched `next`, or NO_ROW */
	uint32_t doing;  /* host row: innermost call or Python function that covers more than half
	                    of the gap, on the launching thread, else on the main thread; NO_ROW:
	                    there is none, or the CPU was ahead */
	uint32_t held;   /* the call that waited for the device and had held the thread up, or
	                    NO_ROW; see gap_cause.h */
	nsec doing_ns;   /* how much of the gap that covers */
	bool is_late;    /* launched after all work before it had ended: HTA's host wait */
	enum gap_cause cls;       /* the class of most of it */
	unsigned has;             /* bits of the classes that it has time of */
	nsec ns[GAP_CAUSE_COUNT]; /* all of it, by class: adds up to its length */
	nsec behind_ns;           /* of it, SYNC aside: behind that call */
	nsec late_ns;             /* of that: see gap_cause_is_late */
};

/* For each class that a gap has time of, the lowest first; left: unsigned, k: int. */
#define EACH_CAUSE(left, k, gap)                 \
	unsigned left = (gap)->has;              \
	left && (k = __builtin_ctz(left), true); \
	left &= left - 1

/* Called in the order of time. */
typedef void gap_fn(void *ctx, const struct gap *g);

/* What the host did in the gaps of a device, kept for who goes over them again: by gap the row of
 * `next`, `doing`, the classes and the ns of each, before the launch.  Gaps that are long, behind a
 * call or at an end are not in it. */
struct gap_notes {
	uint32_t *v;
	size_t n, cap;
	nsec launch_cost; /* of the device; 0: it was not looked for */
};

struct gaps {
	const struct run *run;
	const struct filter_view *view; /* lanes and kinds; NULL: all */
	struct gap_causes waits;
	struct intervals window; /* what is looked at; empty: from the first work to the last */
	int64_t device;          /* whose launch cost waits has; INT64_MIN: nobody's */
	gap_cause_fn *part;      /* NULL, or called with each part of each gap, too */
	void *part_ctx;
	struct gap_notes *to;         /* NULL, or notes that are taken ... */
	const struct gap_notes *from; /* ... and such as were, under the same filter */
	bool is_plain; /* gaps are not split: struct gap has no ns, class and doing */
	struct arena mem;
};

/* Needs order, links and steps.  window: n intervals, not descending, that gaps are looked at in;
 * 0: all there is.  v is borrowed and may be NULL: its --cat, --device and --stream choose the
 * work.  O(n).  Released by gaps_clear. */
void gaps_init(struct gaps *g, const struct run *r, const struct filter_view *v,
	const struct interval *window, size_t n);
void gaps_clear(struct gaps *g);

/* Calls fn for each gap of a device, or of a device lane.  Without a window from the first start to
 * the last end, so the gaps' sum is span less busy.  With one the parts of gaps inside of it, with
 * what is before the first work and behind the last, so that it is the window less busy.  Work on
 * lanes and of kinds that the filter leaves out does not exist.  O(n log lanes). */
void gaps_of_device(struct gaps *g, int64_t device, gap_fn *fn, void *ctx);
void gaps_of_stream(struct gaps *g, uint32_t lane, gap_fn *fn, void *ctx);

/* Sums by class; zero-initialise. */
struct gap_sums {
	nsec ns[GAP_CAUSE_COUNT];
	int64_t count[GAP_CAUSE_COUNT]; /* gaps that are mostly of that class */
	nsec behind_ns; /* of all but SYNC: behind a call that waited for the device */
	int64_t held;   /* gaps that such a call opened */
	nsec max, all_ns;
	int64_t all;
};

/* What a gap is behind, for people: the operator around the call that held the thread up
 * ("aten::item"), or that call. */
uint32_t gaps_behind(struct gaps *g, uint32_t held);

/* A gap_fn: ctx is a struct gap_sums. */
void gap_sums_add(void *ctx, const struct gap *g);

/* HTA's three classes of gaps, ns; set the threshold before the first gap. */
struct gap_hta {
	nsec host, kernel, other;
	nsec kernel_wait_ns;
};

/* A gap_fn: ctx is a struct gap_hta.  HTA knows no window: gaps of a struct gaps without one. */
void gap_hta_add(void *ctx, const struct gap *g);

/* ---- the longest gaps of all that come ---- */

/* A gap of a device. */
struct long_gap {
	struct gap gap;
	int64_t device;
};

/* Set the limit before the first; long_gaps_clear frees. */
struct long_gaps {
	size_t limit;
	struct long_gap *v; /* at least the longest `limit` of those that came */
	size_t n, cap;
	nsec least;  /* a shorter gap is none of the longest */
	int64_t all; /* how many came */
};

void long_gaps_add(struct long_gaps *l, const struct gap *g, int64_t device);
void long_gaps_clear(struct long_gaps *l);

/* The longest `limit`, n of them: the longest first, then by time and device.  O(n log n). */
void long_gaps_sort(struct long_gaps *l);
