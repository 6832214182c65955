/*
 * Matching: the kernels of one graph replay with the launches of one captured graph.
 *
 *	captured  A  B  copy  C  ?  ?  D       ?: a launch that does not say what it launches
 *	replayed  A  B        C  X  Y  D
 *
 * Names that are the same in the same order are certain: A B C D.  Between two of them launches
 * without a name are the kernels there, in order, where there are as many of both: X and Y.  What
 * is left goes by its name alone, as kernels of several streams are not in the order of capture.
 */
#ifndef ANALYZE_TRACE_GRAPHS_REPLAY_MATCH_H
#define ANALYZE_TRACE_GRAPHS_REPLAY_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/trace/columns/strings.h"
#include "base/arena.h"

/* What a launch launched, or what ran. */
struct replay_step {
	sym name;      /* of the kernel; 0: not known */
	uint32_t kind; /* KIND_KERNEL, KIND_MEMCPY or KIND_MEMSET */
};

struct replay_steps {
	const struct replay_step *v;
	size_t n;
};

/* How well they fit: kernels whose name says so, and those that only their place tells. */
struct replay_fit {
	size_t by_name, by_place;
};

/*
 * pair: by kernel, the index of its launch, or NO_ROW.  Scratch is the arena's.  O(launches +
 * kernels) where they are alike, O(launches x kernels) between their first and last difference, at
 * most `cells` (MATCH_CELLS_MAX in all); beyond, names there are matched without regard to order.
 */
struct replay_fit replay_match(struct replay_steps launches, struct replay_steps kernels,
	size_t cells, uint32_t *pair, struct arena *mem);

enum { MATCH_CELLS_MAX = 4 << 20 };

/* Whether all are pairs one by one: as many, of the same kinds, and no two names that differ. */
bool replay_alike(struct replay_steps launches, struct replay_steps kernels);

#endif
