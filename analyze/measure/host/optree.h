/* The CPU op tree: which call encloses which on a thread, walked without being built.
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
 * Source: torch/autograd/profiler_util.py, EventList._populate_cpu_children. */
#pragma once

#include "analyze/measure/device/devtime.h"
#include "analyze/trace/columns/events.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/base.h"

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

/* Called for each node.  path[depth] is the node, path[0..depth) its ancestors, root first.
 *
 * `dup` is the node's only child when that has the node's own name, else NULL.  torch drops such a
 * child and hands its children to the node (_remove_dup_nodes); nchild and dedup_child_ns of the
 * node are then the child's.  Leave order is bottom-up, so a chain of them ends in its first node,
 * as it does when torch repeats the removal until nothing changes. */
struct optree_visitor {
	void *ctx;
	bool (*skip)(void *ctx, uint32_t row); /* NULL: no row is left out of the tree */
	/* `node` overlaps `row`, which ends after it, and is left for that.  NULL: nobody asks. */
	void (*cut)(void *ctx, const struct optree_node *node, uint32_t row);
	void (*enter)(void *ctx, struct optree_node *path, size_t depth);
	void (*leave)(
		void *ctx, struct optree_node *path, size_t depth, const struct optree_node *dup);
};

/* Kinds that make the tree of this run: ops, annotations and runtime calls; in a trace that has
 * none of them (a generic Chrome trace), slices of unknown category. */
unsigned optree_kinds(const struct run *r);

/* torch leaves rows of that name out of its tree.  Source: profiler_util.py, _filter_name. */
bool optree_hides(struct span name);

/* The walk over the op tree, with an explicit stack.  optree_walk_inlined becomes one loop with
 * callbacks that are known where it is called: for what is done with every row of every trace.
 *
 * The only child of a node that is being closed is still in the slot above it, since only one node
 * was ever pushed there.  That is what the dedup looks at. */

/* Walks all host lanes, rows of `kinds` only.  Needs r->order.  dev gives device_ns; NULL: it stays
 * 0. enter or leave may be NULL.  O(n); memory: the deepest stack. */
void optree_walk(const struct run *r, unsigned kinds, const struct devtime *dev,
	const struct optree_visitor *v);

/* The same for the places from .. end - 1 of order->host only: a lane's first or a quiet one
 * (analyze/trace/columns/order.h) to another, so that a tree is walked as a whole. */
void optree_walk_places(const struct run *r, unsigned kinds, const struct devtime *dev,
	const struct optree_visitor *v, size_t from, size_t end);

/* Where the lane of a place ends in order->host.  O(log lanes). */
size_t optree_lane_end(const struct run *r, size_t place);

/* Open nodes; one slot above them is always there. */
struct optree_path {
	struct optree_node *node;
	size_t cap;
};

HOT_INLINE void optree_close(const struct optree_visitor *v, struct optree_node *path, size_t depth)
{
	struct optree_node *node = &path[depth];
	const struct optree_node *dup = NULL;

	node->dedup_child_ns = node->child_ns;
	if (node->nchild == 1 && node[1].name == node->name) {
		dup = &node[1];
		node->dedup_child_ns = dup->dedup_child_ns;
		node->nchild = dup->nchild;
	}
	if (depth)
		saturate_onto(&node[-1].device_ns, node->device_ns);
	if (v->leave)
		v->leave(v->ctx, path, depth, dup);
}

/* Opens a node whose row and end are there already. */
HOT_INLINE void optree_open(const struct optree_visitor *v, const struct events *ev,
	const struct devtime *dev, struct optree_node *path, size_t depth)
{
	struct optree_node *node = &path[depth];
	nsec dur = ev->dur[node->row];

	node->name = ev->name[node->row];
	node->kind = ev->kind[node->row];
	node->tag = node->mark = node->nchild = 0;
	node->dur = dur;
	node->child_ns = 0;
	node->device_ns = dev ? devtime_get(dev, node->row) : 0;
	if (depth) {
		node[-1].nchild++;
		saturate_onto(&node[-1].child_ns, dur);
	}
	if (v->enter)
		v->enter(v->ctx, path, depth);
}

HOT_INLINE void optree_lane(struct optree_path *p, const struct optree_visitor *v,
	const struct events *ev, const struct devtime *dev, unsigned kinds, const uint32_t *at,
	const uint32_t *at_end)
{
	struct optree_node *path = p->node;
	size_t depth = 0;

	for (; at < at_end; at++) {
		uint32_t row = *at;
		nsec start = ev->start[row], end = events_end(ev, row);

		if (!(KIND_BIT(ev->kind[row]) & kinds) || (v->skip && (*v->skip)(v->ctx, row)))
			continue;
		while (depth && (start >= path[depth - 1].end || end > path[depth - 1].end)) {
			if (v->cut && start < path[depth - 1].end)
				v->cut(v->ctx, &path[depth - 1], row);
			optree_close(v, path, --depth);
		}
		if (UNLIKELY(depth + 2 > p->cap))
			path = p->node = array_grow(path, &p->cap, depth + 2, sizeof(*path));
		path[depth].row = row;
		path[depth].end = end;
		optree_open(v, ev, dev, path, depth++);
	}
	while (depth)
		optree_close(v, path, --depth);
}

/* optree_walk_places, inlined. */
HOT_INLINE void optree_walk_inlined(const struct run *r, unsigned kinds, const struct devtime *dev,
	const struct optree_visitor *v, size_t from, size_t end)
{
	const uint32_t *host = r->order->host;
	struct optree_path p = { 0 };

	while (from < end) {
		size_t lane_end = optree_lane_end(r, from);
		size_t to = MIN(lane_end, end);

		optree_lane(&p, v, &r->events, dev, kinds, host + from, host + to);
		from = to;
	}
	free(p.node);
}
