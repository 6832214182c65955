/* Who held memory: bytes that were alive by the stack that allocated them, at moments of a memory
 * snapshot's history, and which of them grow. */
#pragma once

#include "analyze/measure/memory/memtrend.h"
#include "analyze/measure/memory/snapcurve.h"

enum snapheld_when { HELD_PEAK, HELD_OOM, HELD_END, HELD_WHENS };

/* Of a stack. */
struct snapheld_row {
	uint32_t stack;  /* 0: not recorded */
	bool is_unknown; /* allocated before the history and freed in it: nobody knows where */
	int64_t bytes[HELD_WHENS], blocks[HELD_WHENS]; /* as requested */
	int64_t early; /* of bytes[HELD_PEAK]: allocated before the history */
};

struct snapheld {
	struct snapheld_row *row; /* those that held anything then: most at the peak first */
	size_t n;
	bool has_oom; /* HELD_OOM is known: of the last one */
};

/* O(entries + stacks).  mem's. */
void snapheld_init(struct snapheld *h, const struct snapreplay *r, const struct snapcurve *c,
	struct arena *mem);

/* Of a device without history: what is allocated, as HELD_END; most first. */
void snapheld_blocks(
	struct snapheld *h, const struct memsnap *m, int64_t device, struct arena *mem);

/* A stack whose bytes were followed. */
struct snapgrowth {
	uint32_t stack;
	int64_t first, last;     /* bytes at the first and last sample */
	int64_t blocks;          /* in the end */
	struct memtrend trend;   /* bytes per second, or per entry where there are no times */
	enum memtrend_sign sign; /* LEAK only where the second half grows as well */
	struct curve curve;
};

struct snapgrowths {
	struct snapgrowth *row; /* leaks first, then by what they grew */
	size_t n;
	bool has_times;
};

enum { SNAPGROWTH_STACKS = 256, SNAPGROWTH_SAMPLES = 200 };

/* The SNAPGROWTH_STACKS stacks that hold most in the end of what the history allocated, more than
 * MEMCURVE_LEAK_BYTES, at SNAPGROWTH_SAMPLES places.  Trends: memtrend_of.  mem's. */
void snapgrowths_init(struct snapgrowths *g, const struct snapreplay *r, const struct snapcurve *c,
	const struct snapheld *h, struct arena *mem);
