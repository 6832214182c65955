/*
 * The CPU op tree: which call encloses which on a thread, walked without being built.
 *
 * Lane by lane, rows sorted by (start, -end, file order), a stack of open nodes: the top is closed
 * while the next row starts at or after its end, or ends after it.  So a zero-length node never has
 * children, and a partly overlapped one is closed by what overlaps it.
 *
 *	  A [------------------------)      A encloses B and D, B encloses C;
 *	  B   [--------)                    E overlaps A, so A is closed and E is a root.
 *	  C     [--)
 *	  D              [---)
 *	  E                     [-------)
 *
 * Source: torch/autograd/profiler_util.py, EventList._populate_cpu_children.
 */
#ifndef ANALYZE_MEASURE_HOST_OPTREE_H
#define ANALYZE_MEASURE_HOST_OPTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/trace/columns/events.h"
#include "base/str.h"

struct run;

struct optree_node {
	uint32_t row; /* its event */
	sym name;
	uint32_t tag; /* the visitor's own two, set in enter; 0 before */
	uint32_t mark;
	uint32_t nchild; /* direct children; in leave: after the dedup */
	uint32_t kind;   /* enum kind */
	nsec end, dur;
	nsec child_ns; /* sum of its direct children's durations: dur - child_ns is its self time */
	nsec dedup_child_ns; /* the same after the dedup; valid in leave */
	nsec device_ns;      /* device time of itself and of what has been left below it */
};

/*
 * Called for each node.  path[depth] is the node, path[0..depth) its ancestors, root first.
 *
 * `dup` is the node's only child when that has the node's own name, else NULL.  torch drops such a
 * child and hands its children to the node (_remove_dup_nodes); nchild and dedup_child_ns of the
 * node are then the child's.  Leave order is bottom-up, so a chain of them ends in its first node,
 * as it does when torch repeats the removal until nothing changes.
 */
struct optree_visitor {
	void *ctx;
	bool (*skip)(void *ctx, uint32_t row); /* NULL: no row is left out of the tree */
	/* `node` overlaps `row`, which ends after it, and is left for that.  NULL: nobody asks. */
	void (*cut)(void *ctx, const struct optree_node *node, uint32_t row);
	void (*enter)(void *ctx, struct optree_node *path, size_t depth);
	void (*leave)(
		void *ctx, struct optree_node *path, size_t depth, const struct optree_node *dup);
};

/*
 * Kinds that make the tree of this run: ops, annotations and runtime calls; in a trace that has
 * none of them (a generic Chrome trace), slices of unknown category.
 */
unsigned optree_kinds(const struct run *r);

/* torch leaves rows of that name out of its tree.  Source: profiler_util.py, _filter_name. */
bool optree_hides(struct span name);

#endif
