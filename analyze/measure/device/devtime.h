/* Device time by CPU op: for each op row, the sum of the durations of the device work it launched.
 *
 * Few rows have any, so it is a bitmap over rows with ranks and one sum for each bit that is set:
 * about 0.2 bytes an event and 8 bytes an op with device work. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct filter_view;
struct run;

struct devtime {
	struct devtime_word {
		uint64_t bits;
		uint64_t rank; /* bits set before */
	} * word;              /* by row / 64 */
	nsec *ns;              /* by rank */
	size_t n;              /* bits set */
	bool is_borrowed;      /* devtime_clear releases nothing */
};

/* Sums device rows that pass v (its kinds aside: `kinds` counts) by r->links->op; those of graph
 * replays by the op around the graph's launch, whatever was captured.  Needs order and links. O(n).
 * Released by devtime_clear. */
void devtime_init(struct devtime *d, const struct run *r, const struct filter_view *v);
/* The same by the launching call, where that is in the trace: annotations may lie around it, inside
 * of the op. */
void devtime_launches_init(struct devtime *d, const struct run *r, const struct filter_view *v);
void devtime_clear(struct devtime *d);

/* ns of the device work of a row that has its bit. */
nsec devtime_of_bit(const struct devtime *d, uint32_t row);

/* ns of the row's own device work; 0 when it has none.  Inline: most rows have none. */
static inline nsec devtime_get(const struct devtime *d, uint32_t row)
{
	return d->word[row / 64].bits >> row % 64 & 1 ? devtime_of_bit(d, row) : 0;
}
