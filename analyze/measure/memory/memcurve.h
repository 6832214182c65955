/* Memory curves: what an allocator had handed out and what it held, over time, by device.
 *
 * Source: torch's [memory] events (profile_memory=True): Bytes (negative: freed), Total Allocated
 * and Total Reserved after it.  Traces of 2021 have no totals; there the sum of Bytes stands in for
 * allocated, counted from what was there before, and reserved is unknown. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct filter_view;
struct hostpath;
struct run;

struct memcurve {
	int64_t type, device; /* Device Type (0 CPU, 1 CUDA), Device Id; or ARG_UNKNOWN */
	bool is_relative;     /* allocated is a running sum from 0, not a total */
	size_t n;
	uint32_t *row;      /* its [memory] records, by time */
	int64_t *allocated; /* by record, after it; ARG_UNKNOWN when not said */
	int64_t *reserved;  /* by record; the same */
	int64_t allocs, frees;
	int64_t alloc_bytes, free_bytes; /* sums of Bytes > 0, and of < 0 without the sign */
	int64_t ooms;                    /* [OutOfMemory] records */
	size_t peak, peak_reserved;      /* index of the first largest; n when there is none */
	int64_t before; /* allocated before the first record; ARG_UNKNOWN: not said */
};

struct memcurves {
	struct memcurve *v; /* by type, then device */
	size_t n;           /* at most DEVICES_MAX (devices.h) */
	size_t nmore;       /* further ones, left out */
	struct arena mem;
};

/* The curves of all devices that v wants (--device chooses by Device Id, host curves are always
 * there; --steps by time); NULL: all.  NEED_MEMORY must be loaded.  O(n log n), O(n) when records
 * are in order.  Released by memcurves_clear. */
void memcurves_init(struct memcurves *m, const struct run *r, const struct filter_view *v);
void memcurves_clear(struct memcurves *m);

/* The index of the last record at or before t, or SIZE_MAX.  O(log n). */
size_t memcurve_at(const struct memcurve *c, const struct run *r, nsec t);

/*
 * Thins a curve to about `most` records (at least 8) and writes their indexes, ascending, to keep,
 * which has room for most + 8: of each of most / 4 stretches of equal time the first, the last, the
 * lowest and the highest; and the peak of reserved.  Returns how many; all, when they are not more.
 */
size_t memcurve_thin(const struct memcurve *c, const struct run *r, size_t most, size_t *keep);

/* X(NAME, word) */
#define MEMCURVE_SIGNS(X)                                                              \
	X(UNKNOWN, "unknown")         /* fewer than 3 steps with a value */            \
	X(STEADY, "steady")           /* none of the others */                         \
	X(RISING, "rising")           /* grows at each step, but too few to be sure */ \
	X(LEAK, "leak")               /* grows from step to step, p < 0.01 */          \
	X(JUMP, "one-time rise")      /* grew, nearly all of it between two steps */   \
	X(RESERVED, "reserved rises") /* allocated is steady, reserved is not */

#define MEMCURVE_ID(name, ...) MEMCURVE_##name,
enum memcurve_sign { MEMCURVE_SIGNS(MEMCURVE_ID) MEMCURVE_SIGN_COUNT };
const char *memcurve_sign_word(enum memcurve_sign s);

/* Growth that is called one: more than this, and more than 0.1% of the peak. */
#define MEMCURVE_LEAK_BYTES (INT64_C(1) << 20)

/* Where memory goes from step to step. */
struct memcurve_trend {
	enum memcurve_sign sign;
	size_t steps; /* steps with a value, without the first, set aside when 5 remain */
	double slope; /* bytes per step: median of all pairs' slopes (Theil-Sen) */
	double slope_lo, slope_hi; /* 95% interval of slope; NaN when the steps are too few */
	double slope_reserved;     /* of reserved; NaN when unknown */
	bool is_leak;              /* sign is LEAK */
	double p;                  /* of no trend: Mann-Kendall, two-sided; NaN when unknown */
	int64_t first, last; /* allocated at the ends of the first and the last of these steps */
};

/* The trend of allocated and reserved at the ends of the steps that v takes; false, and UNKNOWN,
 * when there are fewer than 3.  O(steps^2), at most MEMCURVE_STEPS_MAX of them, spread evenly.
 * Source: Theil 1950, Sen 1968; Mann 1945, Kendall 1975 (analyze/stat). */
enum { MEMCURVE_STEPS_MAX = 1000 };
bool memcurve_trend(struct memcurve_trend *t, const struct memcurve *c, const struct run *r,
	const struct filter_view *v);

/* "CUDA 0", "CPU": who an allocator works for; of the arena. */
struct span memcurve_device(const struct memcurve *c, struct arena *mem);

/* The innermost op of a record's thread at its time, else the innermost annotation, or NO_ROW. */
uint32_t memcurve_op(struct hostpath *h, uint32_t row);
