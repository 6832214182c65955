/*
 * A relay: windows of an input go through threads, and come out in the order of the input.
 *
 *     fill --> work --> end
 *
 * Filling and ending are done by one thread at a time, window after window; work by all at once.
 * Every thread does whatever is due.
 */
#ifndef ANALYZE_INPUT_FORMAT_RELAY_H
#define ANALYZE_INPUT_FORMAT_RELAY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct relay {
	/* The next window into that slot; *last: nothing comes behind it. */
	enum status (*fill)(void *ctx, size_t slot, bool *last, struct err *e);
	/* What needs no other window. */
	void (*work)(void *ctx, size_t slot);
	/* Takes the slot's result; it is free afterwards. */
	enum status (*end)(void *ctx, size_t slot, struct err *e);
	void *ctx;
};

/* How many slots a relay of so many threads has: 1 for one. */
size_t relay_slots(unsigned threads);

/* Runs until the last window has ended, or the first failure, which it returns. */
enum status relay_run(const struct relay *r, unsigned threads, struct err *e) MUST_CHECK;

#endif
