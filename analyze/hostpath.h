/*
 * Host paths: what a thread was in at a moment, from the innermost call outwards.
 *
 * One parent for each row of the host order (order.h), by the nesting rule of optree.h, so that a
 * moment is found by binary search and its path by following parents.  4 bytes a host row.
 */
#ifndef ANALYZE_HOSTPATH_H
#define ANALYZE_HOSTPATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/store/events.h"

struct run;

struct hostpath {
	const struct run *run;
	uint32_t *parent; /* by place in order->host: its parent's place, or NO_ROW */
};

/* Needs r->order.  O(n).  Released by hostpath_clear. */
void hostpath_init(struct hostpath *h, const struct run *r);
void hostpath_clear(struct hostpath *h);

/*
 * The place of the innermost call of that lane that is open at time t (start <= t < end; one that
 * ends at t counts when `ending`), or NO_ROW.  O(log n + depth).
 */
uint32_t hostpath_at(const struct hostpath *h, uint32_t lane, nsec t, bool ending);

/* The place of the call around the one at `place`, or NO_ROW. */
uint32_t hostpath_up(const struct hostpath *h, uint32_t place);

/* The event row at a place. */
uint32_t hostpath_row(const struct hostpath *h, uint32_t place);

/*
 * The row of the innermost call of that lane that covers at least half of [start, end), or NO_ROW;
 * *covered receives the length of the part it covers.
 */
uint32_t hostpath_covering(
	const struct hostpath *h, uint32_t lane, nsec start, nsec end, nsec *covered);

#endif
