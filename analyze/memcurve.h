/*
 * Memory curves: what an allocator had handed out and what it held, over time, by device.
 *
 * Source: torch's [memory] events (profile_memory=True): Bytes (negative: freed), Total Allocated and
 * Total Reserved after it.  Traces of 2021 have no totals; there the sum of Bytes stands in for
 * allocated, counted from what was there before, and reserved is unknown.
 */
#ifndef ANALYZE_MEMCURVE_H
#define ANALYZE_MEMCURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/store/events.h"
#include "base/arena.h"

struct filter_view;
struct hostpath;
struct run;

struct memcurve {
	int64_t type, device; /* Device Type (0 CPU, 1 CUDA), Device Id; ARG_UNKNOWN when not said */
	bool is_relative;     /* allocated is a running sum from 0, not a total */
	size_t n;
	uint32_t *row;        /* its records, by time */
	int64_t *allocated;   /* by record, after it; ARG_UNKNOWN when not said */
	int64_t *reserved;    /* by record */
	int64_t allocs, frees, alloc_bytes, free_bytes; /* records with Bytes > 0, < 0 */
	int64_t ooms;         /* [OutOfMemory] records */
	size_t peak, peak_reserved; /* index of the (first) largest; n when unknown */
};

struct memcurves {
	struct memcurve *v; /* by type, then device */
	size_t n;
	struct arena mem;
};

/*
 * The curves of all devices that v wants (--device by Device Id, host curves always; --steps by
 * time); NULL: all.  Needs NEED_MEMORY loaded.  O(n log n).  Released by memcurves_clear.
 */
void memcurves_init(struct memcurves *m, const struct run *r, const struct filter_view *v);
void memcurves_clear(struct memcurves *m);

/*
 * Thins a curve to about `most` records (>= 4) and writes their indexes, ascending, to keep, which has
 * room for most + 4: of each of most / 4 stretches of equal time the first, the last, the lowest and
 * the highest.  The first and last record and both peaks are always kept.  Returns how many.
 */
size_t memcurve_thin(const struct memcurve *c, const struct run *r, size_t most, size_t *keep);

/* Where memory goes from step to step. */
struct memcurve_trend {
	size_t steps;        /* steps with a value: those looked at without the set-aside first */
	double slope;        /* bytes per step: the median of all pairs' slopes (Theil-Sen) */
	double slope_reserved;
	double p;            /* of no trend: Mann-Kendall, two-sided, with ties; NaN below 4 steps */
	int64_t first, last; /* allocated at the end of the first and the last of these steps */
	bool is_leak;        /* p < 0.01, slope > 0, and grown by more than the threshold */
};

/* Growth in all that is called a leak: more than this, and more than 1 % of the peak. */
#define MEMCURVE_LEAK_BYTES (INT64_C(1) << 20)

/*
 * The trend of allocated (and reserved) at the ends of steps; false when there are fewer than 3 steps
 * with a value.  The first step is set aside when 5 or more remain.  O(steps^2), at most 1,000 steps
 * spread over all.  Source: Theil 1950, Sen 1968; Mann 1945, Kendall 1975.
 */
bool memcurve_trend(struct memcurve_trend *t, const struct memcurve *c, const struct run *r,
	const struct filter_view *v);

/* The innermost op (else annotation) of the record's own thread at its time, or NO_ROW. */
uint32_t memcurve_op(const struct run *r, const struct hostpath *h, uint32_t row);

#endif
