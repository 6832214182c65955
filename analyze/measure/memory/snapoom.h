/* Why an allocation failed, from a memory snapshot. */
#pragma once

#include "analyze/measure/memory/snapcurve.h"
#include "analyze/measure/memory/snapstate.h"

/* X(NAME, word) */
#define SNAPOOM_WHYS(X)                                                                     \
	X(UNKNOWN, "unknown")          /* memory moved since, or a figure is not written */ \
	X(FULL, "full")                /* all that is free together would not do */         \
	X(FRAGMENTED, "fragmentation") /* it would, but no piece of it is large enough */   \
	X(LIMIT, "limit")              /* the device had enough: the process may not */     \
	X(ODD, "free block")           /* a free block was large enough */

#define SNAPOOM_ID(name, ...) SNAPOOM_##name,
enum snapoom_why { SNAPOOM_WHYS(SNAPOOM_ID) SNAPOOM_WHY_COUNT };
const char *snapoom_word(enum snapoom_why w);

struct snapoom {
	size_t entry;
	int64_t request, device_free; /* device_free may be UNKNOWN */
	int64_t reserved, allocated;  /* then; allocated: as requested */
	bool is_now;      /* nothing moved since: what follows is of that moment, else UNKNOWN */
	size_t since;     /* entries since */
	int64_t inactive; /* outside of private pools */
	int64_t pooled;   /* inactive in them */
	int64_t largest;  /* the largest block that it could have been given */
	enum snapoom_why why;
};

/* Of the i-th that the curve kept.  sum: of the device, NULL: it holds nothing. */
void snapoom_of(struct snapoom *o, const struct snapreplay *r, const struct snapcurve *c, size_t i,
	const struct snapsum *sum);
