/* Launch statistics: how long device work waits after its call, and how much of it queues up. */
#pragma once

#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

/* The depth at which a launch blocks until the device has taken one. */
#define LAUNCH_QUEUE_FULL 1024

/* X(NAME, word): where a delay is measured from. */
#define LAUNCH_DELAYS(X)                                                               \
	X(START, "start")       /* device start less start of the call */              \
	X(END, "end")           /* less its end; negative when it starts before */     \
	X(CLIPPED, "end_clip0") /* the same, negative values as 0: HTA's launch delay, \
	                           nsys' queue time */

enum launch_delay {
#define X(name, word) LAUNCH_DELAY_##name,
	LAUNCH_DELAYS(X)
#undef X
		LAUNCH_DELAY_COUNT
};

/* Its delay in ns.  The row must have a launch. */
nsec launch_delay_of(const struct run *r, uint32_t row, enum launch_delay d);

/* Kinds of work that delays are told apart by. */
enum { LAUNCH_WORKS = 4 };
struct launch_work {
	const char *word;
	unsigned kinds; /* bits of them */
};
extern const struct launch_work launch_works[LAUNCH_WORKS]; /* the last is all */

/* Delays of some work; where there are none (n is 0) the rest means nothing. */
struct launch_delays {
	const char *of, *from; /* launch_works, LAUNCH_DELAYS */
	int64_t n, sum, min, max;
	int64_t negative; /* how many of them */
	double mean, median, p95;
};
/* v: n of them; put in another order. */
struct launch_delays launch_delays_of(
	const struct launch_work *of, enum launch_delay from, nsec *v, size_t n);

/* Whether a runtime call of that name puts work on a device, as links.h counts such calls. */
bool launch_is_name(struct span name);

/* The queue of a stream: one entry for each call with work on that stream, from the start of the
 * call to the start of its first work there.  So a graph launch is one entry.  Work without launch,
 * and launches without work, are no entries; neither is work that starts before its call. */
struct launch_queue {
	int64_t entries;
	int64_t unlinked; /* device rows without launch */
	int64_t early;    /* entries that would have had no length: started before their call */
	int64_t max;      /* largest depth */
	nsec start, end;  /* first call's start to last work's start: the queue is known */
	nsec queued_ns;   /* sum over entries of their time: mean depth is this / (end - start) */
	nsec waiting_ns;  /* time at depth >= 1 */
	nsec blocked_ns;  /* time at depth >= LAUNCH_QUEUE_FULL */
	nsec *at_depth;   /* time at depth 0 .. max; NULL when there are no entries */
	int64_t *points;  /* changes that lead to depth 0 .. max */
};

/* Fills q for device lane `lane`.  Needs order and links.  scratch: one 0 for each launch side row,
 * (run->args.n[ARGS_LAUNCH]), used again for other lanes.  Released by launch_queue_clear.
 * O(n log n), O(n) when launches of a stream are in order. */
void launch_queue_init(
	struct launch_queue *q, const struct run *r, uint32_t lane, uint32_t *scratch);
void launch_queue_clear(struct launch_queue *q);

/* The least depth that the queue does not exceed for that share of the time, or of its changes. */
int64_t launch_queue_time_quantile(const struct launch_queue *q, double share);
int64_t launch_queue_point_quantile(const struct launch_queue *q, double share);

/* Calls fn with each change of the depth, in order of time: at t it becomes depth.  scratch as
 * above; zeros again before a lane that was looked at already. */
typedef void launch_queue_fn(void *ctx, nsec t, int64_t depth);
void launch_queue_walk(
	const struct run *r, uint32_t lane, uint32_t *scratch, launch_queue_fn *fn, void *ctx);
