/*
 * The buffers that CUPTI has of us at the moment.
 *
 * A process has one pair of buffer functions, and any user of CUPTI in it may register its own:
 * then buffers of ours go to it, or buffers of its come to us.  So it is kept which are ours, and
 * whether anything comes and goes at all.
 */
#ifndef CAPTURE_INJECT_LENT_H
#define CAPTURE_INJECT_LENT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LENT_SLOTS = 16384 }; /* a power of two */

struct lent_slot {
	uint8_t *p; /* NULL: free */
	size_t size;
	uint64_t moved; /* the count of moves when it was lent */
};

struct lent {
	pthread_mutex_t lock;
	struct lent_slot *slot; /* LENT_SLOTS, found by hashing; NULL: nothing is kept */
	size_t n;
	_Atomic uint64_t bytes;   /* of all that are out */
	_Atomic uint64_t moves;   /* how often CUPTI asked for one or gave one back */
	_Atomic uint64_t foreign; /* buffers given to us that are not ours */
	bool is_blind;            /* more were out than fit: every buffer is taken for ours */
};

/* False without memory. */
bool lent_init(struct lent *l);

/* CUPTI gets a buffer; or asked for one and got none (NULL). */
void lent_put(struct lent *l, uint8_t *p, size_t size);

/*
 * It gives one back: true, with the size it was lent with, when it is ours.  *size as CUPTI tells
 * it stays where nothing is known.  NULL is nobody's.
 */
bool lent_take(struct lent *l, uint8_t *p, size_t *size);

/*
 * How many of those that are out since before that count of moves hold records.  Only while nobody
 * writes to them.
 */
size_t lent_used(struct lent *l, uint64_t before);

#endif
