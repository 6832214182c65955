/* The buffers CUPTI fills: lent to it on the program's threads, taken back full, read by the
 * worker, cleared and lent again.
 *
 * All of them together stay below a cap.  Beyond it a request is refused, or, for a CUPTI that does
 * not survive that, answered with a small buffer whose content is thrown away: the program is never
 * made to wait.  Nothing here is called with a lock held around a call of CUPTI's. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "capture/inject/jtext.h"

/* What was lost, by the thread it was lost to. */
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

enum { POOL_SPARE = 8, POOL_KEEP = 32 };

struct pool_item {
	uint8_t *p;
	size_t valid;
};

struct pool {
	pthread_mutex_t lock;
	size_t buffer_bytes, cap_bytes, total_bytes;
	size_t waste_bytes;     /* size of a buffer whose content is thrown away */
	bool may_refuse;        /* a request may be answered with none */
	bool is_closed;         /* whatever comes is thrown away */
	struct pool_item *done; /* a ring of `slots` */
	size_t done_at, ndone, slots;
	uint8_t **spare; /* cleared */
	size_t nspare;
	uint8_t **waste;
	size_t nwaste, waste_slots;
	_Atomic uint64_t dropped_buffers, dropped_bytes; /* the worker tells them meanwhile */
	struct losses lost;                              /* the same buffers */
};

/* False without memory. */
bool pool_init(struct pool *p, size_t buffer_bytes, size_t cap_bytes);

/* What CUPTI asks for: a cleared buffer and its size, or NULL and 0. */
uint8_t *pool_lend(struct pool *p, size_t *size);
void pool_take_back(struct pool *p, uint8_t *buffer, size_t size, size_t valid);

/* The worker's: the oldest full buffer; false when there is none. */
bool pool_next(struct pool *p, struct pool_item *item);
/* How many full buffers there are. */
size_t pool_waiting(struct pool *p);
/* It has been read. */
void pool_recycle(struct pool *p, const struct pool_item *item);
/* Makes spare buffers, so that the program's threads need not. */
void pool_prepare(struct pool *p);
/* From now on nothing is kept. */
void pool_close(struct pool *p);
