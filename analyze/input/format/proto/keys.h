/* Keys of annotations: which of them are arguments that are kept, and which tell what an event is
 * where no category does. */
#pragma once

#include "analyze/input/events/plan.h"
#include "base/base.h"

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
	uint8_t plan; /* the plan's number, or PLAN_NO_KEY */
	uint16_t says;
};

struct key_slot {
	const char *text;     /* NULL: free */
	uint64_t first, last; /* bytes of the text, which are all of it up to 16 */
	uint32_t n;
	struct key key;
};

struct keys {
	struct key_slot slot[PLAN_SLOTS];
	uint8_t empty; /* the plan's number of the key "" */
};

void keys_init(struct keys *k, const struct plan *plan);

/* The first and last 8 bytes of a text; of less than 8, all of them.  8 bytes are readable. */
static inline void keys_ends(const char *p, size_t n, uint64_t *first, uint64_t *last)
{
	memcpy(first, p, sizeof(*first));
	if (n >= 8) {
		memcpy(last, p + n - 8, sizeof(*last));
	} else {
		*first &= (UINT64_C(1) << 8 * n) - 1;
		*last = 0;
	}
}

/* The key of that text, which has 8 readable bytes behind; one of PLAN_NO_KEY that says nothing
 * when nobody wants it. */
static inline struct key keys_find(const struct keys *k, struct span text)
{
	const struct key_slot *s;
	uint64_t first, last;

	if (UNLIKELY(text.n == 0))
		return (struct key){ .plan = k->empty };
	keys_ends(text.p, text.n, &first, &last);
	unsigned at = plan_slot(text.p, text.n);
	for (; k->slot[at].text; at = (at + 1) % PLAN_SLOTS) {
		s = &k->slot[at];
		if (s->n == text.n && s->first == first && s->last == last &&
			(text.n <= 16 || memcmp(s->text, text.p, text.n) == 0))
			return s->key;
	}
	return (struct key){ .plan = PLAN_NO_KEY };
}
