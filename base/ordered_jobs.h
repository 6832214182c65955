/*
 * Jobs done ahead of the one that is looked at: by several threads, taken in order.
 *
 * For what is many, large and looked at one after the other: a few of them are there at a time, and
 * the next are made meanwhile.  Jobs share nothing but what they only read.
 */
#ifndef BASE_ORDERED_JOBS_H
#define BASE_ORDERED_JOBS_H

#include <stddef.h>

struct ordered_jobs;

/*
 * job(ctx, i) for each i below n, once, the lower i begun first, on at most `threads` threads (at
 * least 1), the caller of ordered_jobs_take one of them.  Where no thread can be had, fewer work.
 */
struct ordered_jobs *ordered_jobs_new(
	size_t n, unsigned threads, void (*job)(void *ctx, size_t i), void *ctx);

/*
 * Returns when job i is done; until then the caller does what is due.  i rises from call to call;
 * those below it are no longer looked at: no job is begun that is more than `threads` behind i, so
 * that what threads + 1 of them give is there at a time.
 */
void ordered_jobs_take(struct ordered_jobs *a, size_t i);

/* Begins no further job, waits for those that run, and releases.  NULL is allowed. */
void ordered_jobs_free(struct ordered_jobs *a);

#endif
