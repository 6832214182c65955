/*
 * Independent jobs on several threads.
 *
 * Jobs share nothing but what they only read; each has memory of its own.  What they give must not
 * depend on how many threads there are: cut the work by the data, never by the threads.
 */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stddef.h>

/* Work on fewer items than this is not worth a thread. */
enum { PARALLEL_ITEMS_MIN = 200000 };

/* How many threads work on that many items deserves: `threads` (0: one per core), or 1 when few. */
unsigned parallel_threads(unsigned threads, size_t items);

/* `threads`, or as many as there are cores where it is 0. */
unsigned parallel_cores(unsigned threads);

/*
 * Calls job(ctx, i) once for each i below n, the lower i begun first, on at most `threads` threads
 * (at least 1), the caller one of them; returns when all are done.  With 1 the caller does them in
 * order.  Where no thread can be had, fewer work.
 */
void parallel_run(size_t n, unsigned threads, void (*job)(void *ctx, size_t i), void *ctx);

/*
 * Jobs done ahead of the one that is looked at: by several threads, taken in order.
 *
 * For what is many, large and looked at one after the other: a few of them are there at a time, and
 * the next are made meanwhile.  Jobs share nothing but what they only read.
 */

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
