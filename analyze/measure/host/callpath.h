/*
 * The calls around a call, for who goes over all calls of the op tree by place: what is inherited
 * from above is kept for the open ones only, not by place.
 */
#ifndef ANALYZE_MEASURE_HOST_CALLPATH_H
#define ANALYZE_MEASURE_HOST_CALLPATH_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/trace/links/calls.h"
#include "base/arena.h"
#include "base/compiler.h"

/* What is known of an open call; the last three are the caller's own, 0 before. */
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

/*
 * Goes to the next place that is in the tree; places ascend.  Its node, behind its parent's.  Good
 * until the next call.
 */
HOT_INLINE struct callpath_node *callpath_enter(
	struct callpath *p, const struct calls *c, uint32_t place)
{
	uint32_t parent = c->parent[place];
	struct callpath_node *node;

	if (UNLIKELY(p->n + 1 >= p->cap)) {
		p->node = array_grow(p->node, &p->cap, p->n + 2, sizeof(*p->node));
		p->node[0] = (struct callpath_node){ .place = NO_ROW };
	}
	node = p->node + p->n;
	while (node > p->node && node->place != parent)
		node--;
	*++node = (struct callpath_node){ .place = place };
	p->n = (size_t)(node - p->node);
	return node;
}

#endif
