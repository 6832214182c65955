/* What if: the same dependencies with other durations.
 *
 * Every node is timed again, in order: it begins when all it waits for has finished, and the delay
 * behind each has passed (lags.h).  So without a change every time is what it was, exactly.
 *
 * A stream, a thread, a copy engine and the link do one thing after the other, also then.  Kernels
 * that run beside each other do not slow each other down by more than they did.  What waits for
 * nothing that is known begins when it did. */
#pragma once

#include "analyze/depgraph/lags.h"
#include "analyze/depgraph/nodes.h"
#include "analyze/depgraph/scenario.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

/* Times of nodes under a scenario; released by whatif_clear. */
struct whatif_times {
	const struct depend *d;
	nsec *fin; /* by node */
};

/* O(nodes); O(host calls) more where a change of host time has names.  8 bytes a node, which are
 * taken where t is all zero, and filled again where it has the times of another scenario of d. */
void whatif(
	struct whatif_times *t, struct depend *d, const struct lags *l, const struct scenario *s);
void whatif_clear(struct whatif_times *t);

/* When a node begins: work its start, else its moment. */
nsec whatif_at(const struct whatif_times *t, const struct scenario *s, uint32_t node);
