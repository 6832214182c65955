/* Placing: spans of one or several lanes onto as few as hold them without tearing any.
 *
 * On a lane slices lie one behind the other or inside each other; work of a device never lies
 * inside other work.  What fits stays on its own lane, else it goes to the first that takes it:
 * work then needs as many lanes as it runs side by side at most.  A region that work runs out of
 * goes to a lane of regions.  An arrow's end goes where its slice does. */
#pragma once

#include "edit/spans.h"

/* An event that is not on its lane any more. */
struct place_move {
	int64_t offset;
	uint32_t to; /* number among the lanes of the placing: those read, then new ones */
};

struct placing {
	size_t nown; /* lanes that are read together */
	struct place_lane *lane;
	size_t nlane, lane_cap;
	uint32_t *last;         /* by lane that is read: where the last of its work went */
	struct spanned *region; /* those that work runs out of */
	size_t nregion, region_cap;
	struct place_move *move; /* by offset, which differ */
	size_t nmove, move_cap;
};

/* of: n sealed lanes, n > 0.  place_clear in any case. */
void place_all(struct placing *p, const struct spans *const *of, size_t n);
void place_clear(struct placing *p);
