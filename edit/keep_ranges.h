/* The hull of a cut: the stretches of time of which everything is kept. */
#pragma once

#include "analyze/measure/interval.h"

struct keep_ranges {
	struct intervals time; /* a set; none: all of the time */
	bool is_all;
};

/* Whether something that lasts from start to end (the same: a moment) happens in it.  What only
 * touches a stretch does not.  O(log stretches). */
bool keep_ranges_meets(const struct keep_ranges *h, nsec start, nsec end);

/* The first stretch that begins behind t, or the number of stretches. */
size_t keep_ranges_behind(const struct keep_ranges *h, nsec t);

/* Whether from..to lies in one stretch. */
bool keep_ranges_holds(const struct keep_ranges *h, nsec from, nsec to);
