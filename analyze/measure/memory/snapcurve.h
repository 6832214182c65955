/* A memory snapshot's history as a curve: its peak, points of it, and where memory ran out. */
#pragma once

#include "analyze/measure/memory/snapreplay.h"

enum { SNAPCURVE_OOMS = 64 }; /* so many are kept, the last ones */

/* After an entry. */
struct snappoint {
	size_t entry;
	int64_t allocated, reserved, change; /* allocated: as requested */
};

struct snapcurve {
	struct snappoint peak, peak_reserved; /* the first largest */
	bool peaks_at_start;                  /* before the first entry, which peak.entry is then */
	int64_t allocs, frees, alloc_bytes, free_bytes;
	int64_t ooms;
	struct snappoint oom[SNAPCURVE_OOMS]; /* by time */
	size_t noom;
	size_t last_change;      /* the last entry that moved memory; SIZE_MAX: none did */
	struct snappoint *point; /* thinned: of stretches of equal time the first, last, lowest and
	                            highest, and the largest reserved */
	size_t npoint, point_cap;
	size_t nchange; /* what they were thinned from: entries that moved memory */
};

/* About `most` points.  O(entries). */
void snapcurve_init(struct snapcurve *c, const struct snapreplay *r, size_t most);
void snapcurve_clear(struct snapcurve *c);
