/*
 * Host weights: how long a thread ran from one node to the next, by what it did.
 *
 * Of a return that is only the time before the call; what it spends in the call is told apart, as
 * it may be waiting.  Of a resume that another thread brought about it is nothing.
 */
#ifndef ANALYZE_DEPGRAPH_HOSTWEIGHTS_H
#define ANALYZE_DEPGRAPH_HOSTWEIGHTS_H

#include <stdint.h>

#include "analyze/depgraph/nodes.h"
#include "analyze/depgraph/hosttime.h"
#include "analyze/trace/columns/events.h"

/* Classes of host time that are scaled alike; all of it is, too. */
enum host_group { GROUP_OTHER, GROUP_LAUNCH, GROUP_DATA, GROUP_COUNT };

struct host_weights {
	nsec (*ns)[GROUP_COUNT]; /* by node.host; they add up to the time between the nodes */
};

/* What threads did between nodes, by what can be changed at once; made once for all scenarios.
 * O(host calls); 24 bytes a node that is no work.  Freed by host_weights_free. */
struct host_weights *host_weights_new(struct depend *d);
void host_weights_free(struct host_weights *w);

/* All that of one node. */
nsec host_sum(const struct host_weights *w, uint32_t host);

/* Scaled by what calls say, and by class.  Frees with free(). */
nsec *host_scaled_new(
	struct depend *d, host_scale_fn *scale, void *ctx, const double group[GROUP_COUNT]);

/* How long a thread was in the waiting call of a return behind the node before it. */
nsec host_in_call(const struct depend *d, uint32_t node);

#endif
