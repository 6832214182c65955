/* Independent jobs on several threads.
 *
 * Jobs share nothing but what they only read.  Each has memory of its own.  What they give must not
 * depend on how many threads there are: cut the work by the data, never by the threads. */
#pragma once

#include <pthread.h>

#include "base/base.h"

/* Work on fewer items than this is not worth a thread. */
enum { PARALLEL_ITEMS_MIN = 20000 };

/* How many threads work on that many items deserves: `threads` (0: one per core), or 1 when few. */
unsigned parallel_threads(unsigned threads, size_t items);

/* `threads`, or as many as there are cores that this process may use where it is 0. */
unsigned parallel_cores(unsigned threads);

/* Something that one job makes and another waits for, which has to be begun before. */
struct latch {
	pthread_mutex_t lock;
	pthread_cond_t opened;
	bool is_open; /* under the lock */
};
void latch_init(struct latch *l);
void latch_open(struct latch *l);
void latch_wait(struct latch *l);
void latch_clear(struct latch *l);

/* How many of n files are read side by side by so many threads (0: one per core); *each: how many
 * threads each of them has, for one alone as many as were given. */
unsigned parallel_share(unsigned threads, size_t n, unsigned *each);

/* Calls job(ctx, i) once for each i below n, the lower i begun first, on at most `threads` threads
 * (at least 1), the caller one of them; returns when all are done.  With 1 the caller does them in
 * order.  Where no thread can be had, fewer work. */
void parallel_run(size_t n, unsigned threads, void (*job)(void *ctx, size_t i), void *ctx);
