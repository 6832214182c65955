/* Call trees: calls of the same path as one node.
 *
 * A path is its parent's path and a name.  Node 0 is the root, which is no call.  Names are syms of
 * one table of strings, which the owner chooses. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "analyze/trace/columns/keymap.h"
#include "analyze/trace/columns/strings.h"
#include "analyze/trace/links/calls.h"
#include "base/base.h"

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

/* All nodes but the root, parents before their children, siblings by total (largest first), ties
 * by device time and name; memory is the arena's.  O(n log n). */
uint32_t *calltree_order(const struct calltree *t, const struct strings *names, struct arena *mem);

/* The calls around a call, for who goes over all calls of the op tree by place: what is inherited
 * from above is kept for the open ones only, not by place. */

/* What is known of an open call.  The last three are the caller's own, 0 before. */
struct callpath_node {
	uint32_t place;
	uint32_t bits;
	uint32_t at;
	int32_t rows;
};

/* Zeroed at first; node is released by free. */
struct callpath {
	struct callpath_node *node; /* [0] is around all calls: of no place, and 0 */
	size_t n, cap;              /* the innermost call is node[n] */
};

/* Goes to the next place that is in the tree; places ascend.  Its node, behind its parent's.  Good
 * until the next call. */
HOT_INLINE struct callpath_node *callpath_enter(
	struct callpath *p, const struct calls *c, uint32_t place)
{
	uint32_t parent = c->parent[place];

	if (UNLIKELY(p->n + 1 >= p->cap)) {
		p->node = array_grow(p->node, &p->cap, p->n + 2, sizeof(*p->node));
		p->node[0] = (struct callpath_node){ .place = NO_ROW };
	}
	struct callpath_node *node = p->node + p->n;
	while (node > p->node && node->place != parent)
		node--;
	*++node = (struct callpath_node){ .place = place };
	p->n = (size_t)(node - p->node);
	return node;
}
