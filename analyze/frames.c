/*
 * Frames: lanes with Python functions are merged and sorted, the others walked as they are.
 */
#include "analyze/frames.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyze/saturate.h"
#include "analyze/store/order.h"
#include "analyze/store/run.h"
#include "base/die.h"

/* A Python function by its id. */
struct named {
	int64_t id;
	uint32_t side; /* its side row */
};

struct walk {
	const struct run *run;
	const struct frames_visitor *v;
	unsigned kinds;
	struct named *by_id; /* sorted */
	size_t nid;
	uint32_t *mark; /* by side row of ops: of Python functions */
	uint32_t *lane; /* the same: 1 + their lane, once they were entered */
	struct frames_node *path;
	size_t depth, cap;
	size_t crossing;
};

static void *array(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);

	if (!p)
		die_oom(n * size);
	return p;
}

static int by_id(const void *pa, const void *pb)
{
	const struct named *a = pa, *b = pb;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return (a->side > b->side) - (a->side < b->side);
}

static bool has_python(const struct walk *w)
{
	return (w->kinds & KIND_BIT(KIND_PYTHON)) && w->run->kind_count[KIND_PYTHON] > 0;
}

static void index_ids(struct walk *w)
{
	const struct events *ev = &w->run->events;
	const int64_t *id = w->run->args.col[ARG_OP_PYTHON_ID].i64;
	bool is_sorted = true;
	size_t cap = 0, i;

	if (!has_python(w))
		return;
	w->mark = array(w->run->args.n[ARGS_OP], sizeof(*w->mark));
	w->lane = array(w->run->args.n[ARGS_OP], sizeof(*w->lane));
	for (i = 0; id && i < ev->n; i++) {
		uint32_t side = ev->args[i];

		if (ev->kind[i] != KIND_PYTHON || side == NO_ARGS || id[side - 1] == ARG_UNKNOWN)
			continue;
		w->by_id = array_grow(w->by_id, &cap, w->nid + 1, sizeof(*w->by_id));
		w->by_id[w->nid] = (struct named){ id[side - 1], side - 1 };
		if (w->nid > 0 && by_id(&w->by_id[w->nid - 1], &w->by_id[w->nid]) > 0)
			is_sorted = false;
		w->nid++;
	}
	if (!is_sorted)
		qsort(w->by_id, w->nid, sizeof(*w->by_id), by_id);
}

/* The side row of the parent that a Python function names, or NO_ROW. */
static uint32_t parent_of(const struct walk *w, uint32_t row)
{
	const int64_t *parent = w->run->args.col[ARG_OP_PYTHON_PARENT].i64;
	uint32_t side = w->run->events.args[row];
	size_t lo = 0, hi = w->nid;
	int64_t id;

	if (!parent || side == NO_ARGS || parent[side - 1] == ARG_UNKNOWN)
		return NO_ROW;
	id = parent[side - 1];
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (w->by_id[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == w->nid || w->by_id[lo].id != id || w->by_id[lo].side == side - 1)
		return NO_ROW;
	return w->by_id[lo].side;
}

static void close_top(struct walk *w)
{
	struct frames_node *node = &w->path[--w->depth];

	if (w->v->leave)
		w->v->leave(w->v->ctx, w->path, w->depth);
	if (w->depth)
		node[-1].sum = saturate_add(node[-1].sum, node->sum);
}

/* The nearest open Python function above the new node, or NULL. */
static const struct frames_node *open_function(const struct walk *w)
{
	size_t i;

	for (i = w->depth; i-- > 0;)
		if (w->run->events.kind[w->path[i].row] == KIND_PYTHON)
			return &w->path[i];
	return NULL;
}

/* The parent's mark of a new node.  A Python function may be elsewhere than it is nested. */
static uint32_t find_up(struct walk *w, uint32_t row)
{
	const struct events *ev = &w->run->events;
	uint32_t nested = w->depth ? w->path[w->depth - 1].mark : 0, parent;
	const struct frames_node *around;

	if (ev->kind[row] != KIND_PYTHON)
		return nested;
	parent = parent_of(w, row);
	if (parent == NO_ROW || w->lane[parent] != ev->lane[row] + 1)
		return nested;
	around = open_function(w);
	if (around && ev->args[around->row] - 1 == parent)
		return nested;
	w->crossing++;
	return w->mark[parent];
}

static void open_row(struct walk *w, uint32_t row, nsec end)
{
	const struct events *ev = &w->run->events;
	uint32_t up = find_up(w, row);
	struct frames_node *node;

	if (w->depth + 1 > w->cap)
		w->path = array_grow(w->path, &w->cap, w->depth + 1, sizeof(*w->path));
	node = &w->path[w->depth];
	*node = (struct frames_node){ .row = row, .end = end, .dur = ev->dur[row] };
	if (w->depth)
		node[-1].child_ns = saturate_add(node[-1].child_ns, node->dur);
	w->v->enter(w->v->ctx, w->path, w->depth, up);
	w->depth++;
	if (ev->kind[row] == KIND_PYTHON && ev->args[row] != NO_ARGS) {
		w->mark[ev->args[row] - 1] = node->mark;
		w->lane[ev->args[row] - 1] = ev->lane[row] + 1;
	}
}

static void walk_rows(struct walk *w, const uint32_t *row, size_t n)
{
	const struct events *ev = &w->run->events;
	size_t i;

	for (i = 0; i < n; i++) {
		nsec start = ev->start[row[i]], end = events_end(ev, row[i]);

		if (!(KIND_BIT(ev->kind[row[i]]) & w->kinds))
			continue;
		while (w->depth &&
			(start >= w->path[w->depth - 1].end || end > w->path[w->depth - 1].end))
			close_top(w);
		open_row(w, row[i], end);
	}
	while (w->depth)
		close_top(w);
}

/* Python functions by lane: begin[l] .. begin[l + 1]. */
static uint32_t *list_python(const struct walk *w, size_t *begin)
{
	const struct events *ev = &w->run->events;
	size_t lanes = w->run->lanes.n, i;
	uint32_t *row;

	for (i = 0; i < ev->n; i++)
		if (ev->kind[i] == KIND_PYTHON)
			begin[ev->lane[i] + 1]++;
	for (i = 0; i < lanes; i++)
		begin[i + 1] += begin[i];
	row = array(begin[lanes], sizeof(*row));
	for (i = 0; i < ev->n; i++)
		if (ev->kind[i] == KIND_PYTHON)
			row[begin[ev->lane[i]]++] = (uint32_t)i;
	for (i = lanes; i > 0; i--)
		begin[i] = begin[i - 1];
	begin[0] = 0;
	return row;
}

static void walk_merged(struct walk *w)
{
	const struct order *o = w->run->order;
	size_t lanes = w->run->lanes.n, i, j;
	size_t *begin = array(lanes + 1, sizeof(*begin));
	uint32_t *python = list_python(w, begin), *row = NULL, *scratch;
	size_t cap = 0;

	for (i = 0; i < lanes; i++) {
		size_t host = o->host_begin[i + 1] - o->host_begin[i];
		size_t more = begin[i + 1] - begin[i], n = 0;

		if (more == 0) {
			walk_rows(w, o->host + o->host_begin[i], host);
			continue;
		}
		row = array_grow(row, &cap, host + more, sizeof(*row));
		for (j = 0; j < more; j++)
			row[n++] = python[begin[i] + j];
		for (j = 0; j < host; j++)
			row[n++] = o->host[o->host_begin[i] + j];
		scratch = array(n / 2 + 1, sizeof(*scratch));
		order_sort(w->run, row, n, scratch);
		free(scratch);
		walk_rows(w, row, n);
	}
	free(row);
	free(python);
	free(begin);
}

size_t frames_walk(const struct run *r, unsigned kinds, const struct frames_visitor *v)
{
	const struct order *o = r->order;
	struct walk w = { .run = r, .v = v, .kinds = kinds };
	size_t i;

	index_ids(&w);
	if (has_python(&w))
		walk_merged(&w);
	else
		for (i = 0; i < r->lanes.n; i++)
			walk_rows(&w, o->host + o->host_begin[i],
				o->host_begin[i + 1] - o->host_begin[i]);
	free(w.by_id);
	free(w.mark);
	free(w.lane);
	free(w.path);
	return w.crossing;
}
