/*
 * Call trees: calls of the same path as one node.
 *
 * A path is its parent's path and a name.  Node 0 is the root, which is no call.  Names are syms of
 * one table of strings, which the owner chooses.
 */
#ifndef ANALYZE_MEASURE_HOST_CALLTREE_H
#define ANALYZE_MEASURE_HOST_CALLTREE_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/trace/columns/events.h"
#include "analyze/trace/columns/keymap.h"
#include "analyze/trace/columns/strings.h"
#include "base/arena.h"
#include "base/str.h"

struct calltree_node {
	sym name;
	uint32_t parent, depth; /* depth of the root is 0 */
	uint32_t row;           /* the first call, or NO_ROW; the owner sets it */
	int64_t calls;
	int64_t replays;  /* in graphs, which are no calls; the owner counts them */
	nsec total, self; /* sums over the calls */
	nsec self_cpu;    /* another kind of self time, as the owner defines it */
	nsec device, device_busy;
	nsec min, max;
};

struct calltree {
	struct calltree_node *v;
	size_t n, cap;
	struct keymap by_path; /* parent and name: index of v */
};

void calltree_init(struct calltree *t);
void calltree_clear(struct calltree *t);

/* The child of that name, new or old. */
uint32_t calltree_child(struct calltree *t, uint32_t parent, sym name);

/* Counts one call of `total`, of which `self` is its own. */
void calltree_count(struct calltree *t, uint32_t node, nsec total, nsec self);

/*
 * All nodes but the root, parents before their children, siblings by total (largest first), ties
 * by device time and name; memory is the arena's.  O(n log n).
 */
uint32_t *calltree_order(const struct calltree *t, const struct strings *names, struct arena *mem);

#endif
