/*
 * What was lost, by the thread it was lost to.
 */
#ifndef CAPTURE_INJECT_LOSSES_H
#define CAPTURE_INJECT_LOSSES_H

#include <stddef.h>
#include <stdint.h>

#include "capture/inject/jtext.h"

enum { LOSSES_THREADS = 256 };

/* All zero at first.  Whoever adds has a lock, or is the only one. */
struct losses {
	struct {
		uint32_t tid;
		uint64_t count;
	} thread[LOSSES_THREADS];
	size_t n;
	uint64_t others; /* of further threads */
};

void losses_add(struct losses *l, uint32_t tid);

/* {"4711": 3, "4712": 1, "others": 7} */
void losses_put(const struct losses *l, struct jtext *t);

/* " (most to thread 4711: 3 of 11)" for messages; "" where nothing is lost.  text[size]. */
void losses_say(const struct losses *l, char *text, size_t size);

#endif
