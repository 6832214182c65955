/* A ring of buffers between threads: what comes one after the other is worked on side by side, and
 * leaves in its order.
 *
 *     fill --> work --> end
 *
 * Things are numbered 0, 1, 2, ..., and number i is in buffer i % slots of the caller's.  Filling
 * and ending are done by one thread at a time, number after number; work by all at once.  Every
 * thread does whatever is due; no more numbers than there are slots are there at a time. */
#pragma once

#include "base/base.h"

struct ring;

struct ring_steps {
	/* Number i, whose buffer is free; *last: nothing comes behind it. */
	enum status (*fill)(void *ctx, size_t i, bool *last, struct err *e);
	/* What needs no other number. */
	void (*work)(void *ctx, size_t i);
	/* Takes the result.  The buffer is free afterwards.  NULL: ring_take does. */
	enum status (*end)(void *ctx, size_t i, struct err *e);
	void *ctx;
};

/* How many slots keep so many threads busy: 1 for one. */
size_t ring_slots(unsigned threads);

/* Runs until the last number has ended, or the first failure, which it returns.  threads >= 1. */
enum status ring_run(
	const struct ring_steps *steps, size_t slots, unsigned threads, struct err *e) MUST_CHECK;

/* The same for a caller that takes the numbers itself: nothing is begun before the first is taken,
 * and then slots of them are there at a time, made by `threads` threads, the caller one of them
 * while it waits.  Where no thread can be had, fewer work. */
struct ring *ring_new(const struct ring_steps *steps, size_t slots, unsigned threads);

/* Returns when number i and all before it are worked on; buffers of those before it are free then.
 * i does not fall below slots behind what was taken.  False: there is none, the last or a failure
 * to fill came before it. */
bool ring_take(struct ring *r, size_t i);

/* Begins nothing more, waits for what runs, and releases.  NULL is allowed. */
void ring_free(struct ring *r);
