/*
 * Keys of annotations: which of them are arguments that are kept, and which tell what an event is
 * where no category does.
 */
#ifndef ANALYZE_INPUT_FORMAT_PROTO_KEYS_H
#define ANALYZE_INPUT_FORMAT_PROTO_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyze/input/events/plan.h"
#include "base/str.h"

/* What the presence of an annotation says. */
enum says {
	SAYS_STREAM = 1 << 0,
	SAYS_CORRELATION = 1 << 1,
	SAYS_SYNC = 1 << 2,     /* cuda_sync_kind */
	SAYS_CALL = 1 << 3,     /* the number of a runtime call */
	SAYS_PYTHON = 1 << 4,   /* a frame of the Python tracer */
	SAYS_HOST = 1 << 5,     /* an event of PyTorch's CPU profiler */
	SAYS_OPERATOR = 1 << 6, /* what only operators have: shapes, sequence numbers */
	SAYS_LAUNCH = 1 << 7    /* grid, block */
};

struct key {
	const char *text;
	uint8_t n;
	uint8_t plan; /* the plan's number, or PLAN_NO_KEY */
	uint16_t says;
};

struct keys {
	struct key slot[PLAN_SLOTS];
	uint8_t empty; /* the plan's number of the key "" */
};

void keys_init(struct keys *k, const struct plan *plan);

/* The key of that text; one of PLAN_NO_KEY that says nothing when nobody wants it. */
static inline struct key keys_find(const struct keys *k, struct span text)
{
	unsigned at;

	if (text.n == 0)
		return (struct key){ .plan = k->empty };
	at = plan_slot(text.p, text.n);
	for (; k->slot[at].text; at = (at + 1) % PLAN_SLOTS)
		if (k->slot[at].n == text.n && memcmp(k->slot[at].text, text.p, text.n) == 0)
			return k->slot[at];
	return (struct key){ .plan = PLAN_NO_KEY };
}

#endif
