/* Frames: operators, annotations, runtime calls and Python functions of a thread as one tree,
 * walked without being built.
 *
 * Rows of a lane by (start, -end, file order) and a stack of open ones, as in optree.h; a Python
 * function's parent is the one its "Python parent id" names, where that is on the same thread, else
 * the nesting decides.  The two differ where functions cross in time (timestamps that are not
 * exact); then the crossing one is under its parent, but its time is not taken from its parent. */
#pragma once

#include "analyze/trace/columns/events.h"

struct run;

struct frames_node {
	uint32_t row;
	uint32_t mark; /* the visitor's own, set in enter; 0 before */
	uint32_t tag;  /* the visitor's own second */
	nsec end, dur;
	nsec child_ns; /* durations of its children on the stack; dur - child_ns is self */
	nsec sum;      /* the visitor's own: added to the parent's on the stack after leave */
};

struct frames_visitor {
	void *ctx;
	/* up: the parent's mark, or 0.  path[depth] is the node, path[0..depth) what is open around
	 * it. */
	void (*enter)(void *ctx, struct frames_node *path, size_t depth, uint32_t up);
	void (*leave)(void *ctx, struct frames_node *path, size_t depth); /* may be NULL */
};

/* n rows of a lane by (start, -end, file order), of other kinds too; valid during the call. */
struct frames_rows {
	void *ctx;
	void (*lane)(void *ctx, uint32_t lane, const uint32_t *row, size_t n);
};

/* The rows of KINDS_HOST_TREE, and of KIND_PYTHON where `kinds` has it, of each host lane in turn.
 * Needs r->order; with Python functions NEED_PYTHON loaded.  O(n log n).  Memory: 4 bytes a row of
 * the widest lane, and 4 a Python function. */
void frames_lanes(const struct run *r, unsigned kinds, const struct frames_rows *to);

/* Walks rows of `kinds` (of KINDS_HOST_TREE and KIND_PYTHON) on all host lanes.  Needs r->order;
 * with Python functions NEED_PYTHON loaded.  Returns how many of those are not under the function
 * that encloses them.  O(n log n).  Memory: 4 bytes a row of the widest lane, and 16 a Python
 * function. */
size_t frames_walk(const struct run *r, unsigned kinds, const struct frames_visitor *v);
