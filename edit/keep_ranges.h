/*
 * The hull of a cut: the stretches of time of which everything is kept.
 */
#ifndef EDIT_KEEP_RANGES_H
#define EDIT_KEEP_RANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/measure/interval.h"
#include "analyze/trace/columns/events.h"
#include "base/compiler.h"

struct hull {
	struct intervals time; /* a set; none: all of the time */
	bool is_all;
};

/*
 * Whether something that lasts from start to end (the same: a moment) happens in it.  What only
 * touches a stretch does not.  O(log stretches).
 */
bool hull_meets(const struct hull *h, nsec start, nsec end);

/* The first stretch that begins behind t, or the number of stretches. */
size_t hull_behind(const struct hull *h, nsec t);

/* Whether from..to lies in one stretch. */
bool hull_holds(const struct hull *h, nsec from, nsec to);

#endif
