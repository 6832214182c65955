/* The making of dependencies (nodes.h says what they are), of a run that is at rest. */
#pragma once

#include "analyze/depgraph/nodes.h"

struct interval;

/* when: NULL, or the time that is looked at, and what calls that are open at its begin did before.
 * Needs order, links, steps, calls; takes cuda_sync's arguments (NEED_SYNC) where they are kept.
 * O(n log lanes); 40 bytes a node, where nodes are the device work, the launches and few more.
 * Released by depend_clear. */
void depend_init(struct depend *d, const struct run *r, const struct interval *when);
void depend_clear(struct depend *d);
