/*
 * The CPU op tree, walked with an explicit stack.
 *
 * The only child of a node that is being closed is still in the slot above it, since only one node
 * was ever pushed there; that is what the dedup looks at.
 */
#include "analyze/optree.h"

#include <stdlib.h>

#include "analyze/devtime.h"
#include "analyze/saturate.h"
#include "analyze/store/calls.h"
#include "analyze/store/order.h"
#include "analyze/store/run.h"

struct walk {
	const struct run *run;
	const struct optree_visitor *v;
	const struct devtime *dev;
	struct optree_node *path;
	size_t depth, cap; /* open nodes; one slot above them is always there */
};

unsigned optree_kinds(const struct run *r)
{
	return calls_kinds(r);
}

static void close_top(struct walk *w)
{
	struct optree_node *node = &w->path[--w->depth];
	const struct optree_node *dup = NULL;

	node->dedup_child_ns = node->child_ns;
	if (node->nchild == 1 && node[1].name == node->name) {
		dup = &node[1];
		node->dedup_child_ns = dup->dedup_child_ns;
		node->nchild = dup->nchild;
	}
	if (w->depth)
		node[-1].device_ns = saturate_add(node[-1].device_ns, node->device_ns);
	if (w->v->leave)
		w->v->leave(w->v->ctx, w->path, w->depth, dup);
}

static void open_row(struct walk *w, uint32_t row, nsec end)
{
	const struct events *ev = &w->run->events;
	struct optree_node *node;

	if (w->depth + 2 > w->cap)
		w->path = array_grow(w->path, &w->cap, w->depth + 2, sizeof(*w->path));
	node = &w->path[w->depth];
	*node = (struct optree_node){
		.row = row, .name = ev->name[row], .end = end, .dur = ev->dur[row]
	};
	if (w->dev)
		node->device_ns = devtime_get(w->dev, row);
	if (w->depth) {
		node[-1].nchild++;
		node[-1].child_ns = saturate_add(node[-1].child_ns, node->dur);
	}
	if (w->v->enter)
		w->v->enter(w->v->ctx, w->path, w->depth);
	w->depth++;
}

static void walk_lane(struct walk *w, unsigned kinds, const uint32_t *row, size_t n)
{
	const struct events *ev = &w->run->events;
	size_t i;

	for (i = 0; i < n; i++) {
		nsec start, end;

		if (!(KIND_BIT(ev->kind[row[i]]) & kinds))
			continue;
		if (w->v->skip && w->v->skip(w->v->ctx, row[i]))
			continue;
		start = ev->start[row[i]];
		end = events_end(ev, row[i]);
		while (w->depth &&
			(start >= w->path[w->depth - 1].end || end > w->path[w->depth - 1].end))
			close_top(w);
		open_row(w, row[i], end);
	}
	while (w->depth)
		close_top(w);
}

void optree_walk_lanes(const struct run *r, unsigned kinds, const struct devtime *dev,
	const struct optree_visitor *v, size_t first, size_t end)
{
	const struct order *o = r->order;
	struct walk w = { .run = r, .v = v, .dev = dev };
	size_t i;

	for (i = first; i < end; i++)
		walk_lane(&w, kinds, o->host + o->host_begin[i],
			o->host_begin[i + 1] - o->host_begin[i]);
	free(w.path);
}

void optree_walk(const struct run *r, unsigned kinds, const struct devtime *dev,
	const struct optree_visitor *v)
{
	optree_walk_lanes(r, kinds, dev, v, 0, r->lanes.n);
}

bool optree_hides(struct span name)
{
	static const char *const names[] = { "[memory]", "[OutOfMemory]",
		"profiler::_record_function_enter", "profiler::_record_function_enter_new",
		"profiler::_record_function_exit", "aten::is_leaf", "aten::output_nr",
		"aten::_version" };
	size_t i;

	for (i = 0; i < COUNT_OF(names); i++)
		if (span_is(name, names[i]))
			return true;
	return false;
}
