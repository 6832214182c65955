/* The making of dependencies (nodes.h says what they are), of a run that is at rest. */
#pragma once

#include "analyze/depgraph/nodes.h"

/*
 * Needs order, links, steps, calls; takes cuda_sync's arguments (NEED_SYNC) where they are kept.
 * O(n log lanes); 40 bytes a node, where nodes are the device work, the launches and few more.
 * Released by depend_clear.
 */
void depend_init(struct depend *d, const struct run *r);
void depend_clear(struct depend *d);
