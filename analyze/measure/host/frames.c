/* Frames: lanes with Python functions are merged and sorted, the others walked as they are. */
#include "analyze/measure/host/frames.h"

#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/base.h"

struct walk {
	const struct run *run;
	const struct frames_visitor *v;
	unsigned kinds;
	const uint32_t *id; /* by side row of Python functions: their own */
	uint32_t *by_id;    /* side rows of those that have one, by id */
	size_t nid;
	uint32_t *mark; /* by side row */
	uint32_t *lane; /* the same: 1 + their lane, once they were entered */
	struct frames_node *path;
	size_t depth, cap;
	size_t crossing;
};

static int by_id(const void *pa, const void *pb, void *ctx)
{
	const uint32_t *id = ctx, a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

	return COMPARE_BY(compare3(id[a], id[b]), compare3(a, b));
}

static bool has_python(const struct run *r, unsigned kinds)
{
	return (kinds & KIND_BIT(KIND_PYTHON)) && (r->args.needs & NEED_PYTHON) &&
		r->kind_count[KIND_PYTHON] > 0;
}

static void index_ids(struct walk *w)
{
	const struct args *args = &w->run->args;
	uint32_t *id = args->col[ARG_PYTHON_ID].id, n = (uint32_t)args->n[ARGS_PYTHON];
	bool is_sorted = true;

	if (!has_python(w->run, w->kinds))
		return;
	w->id = id;
	w->mark = zeroed(n, sizeof(*w->mark));
	w->lane = zeroed(n, sizeof(*w->lane));
	w->by_id = zeroed(n, sizeof(*w->by_id));
	for (uint32_t i = 0; id && i < n; i++) {
		if (!id[i])
			continue;
		is_sorted = is_sorted && (w->nid == 0 || id[w->by_id[w->nid - 1]] <= id[i]);
		w->by_id[w->nid++] = i;
	}
	if (!is_sorted)
		qsort_r(w->by_id, w->nid, sizeof(*w->by_id), by_id, id);
}

/* The side row of the parent that a Python function names, or NO_ROW. */
static uint32_t parent_of(const struct walk *w, uint32_t row)
{
	const uint32_t *parent = w->run->args.col[ARG_PYTHON_PARENT].id;
	uint32_t side = w->run->events.args[row];

	if (!parent || side == NO_ARGS || !parent[side - 1])
		return NO_ROW;
	uint32_t id = parent[side - 1];
	size_t lo = PARTITION_POINT(i, 0, w->nid, w->id[w->by_id[i]] < id);
	if (lo == w->nid || w->id[w->by_id[lo]] != id || w->by_id[lo] == side - 1)
		return NO_ROW;
	return w->by_id[lo];
}

static void close_top(struct walk *w)
{
	struct frames_node *node = &w->path[--w->depth];

	if (w->v->leave)
		w->v->leave(w->v->ctx, w->path, w->depth);
	if (w->depth)
		saturate_onto(&node[-1].sum, node->sum);
}

/* The nearest open Python function above the new node, or NULL. */
static const struct frames_node *open_function(const struct walk *w)
{
	for (size_t i = w->depth; i-- > 0;)
		if (w->run->events.kind[w->path[i].row] == KIND_PYTHON)
			return &w->path[i];
	return NULL;
}

/* The parent's mark of a new node.  A Python function may be elsewhere than it is nested. */
static uint32_t find_up(struct walk *w, uint32_t row)
{
	const struct events *ev = &w->run->events;
	uint32_t nested = w->depth ? w->path[w->depth - 1].mark : 0;

	if (ev->kind[row] != KIND_PYTHON)
		return nested;
	uint32_t parent = parent_of(w, row);
	if (!w->lane || parent == NO_ROW || w->lane[parent] != ev->lane[row] + 1)
		return nested;
	const struct frames_node *around = open_function(w);
	if (around && ev->args[around->row] - 1 == parent)
		return nested;
	w->crossing++;
	return w->mark[parent];
}

static void open_row(struct walk *w, uint32_t row, nsec end)
{
	const struct events *ev = &w->run->events;
	uint32_t up = find_up(w, row);

	if (w->depth + 1 > w->cap)
		w->path = array_grow(w->path, &w->cap, w->depth + 1, sizeof(*w->path));
	struct frames_node *node = &w->path[w->depth];
	*node = (struct frames_node){ .row = row, .end = end, .dur = ev->dur[row] };
	if (w->depth)
		saturate_onto(&node[-1].child_ns, node->dur);
	w->v->enter(w->v->ctx, w->path, w->depth, up);
	w->depth++;
	if (ev->kind[row] == KIND_PYTHON && ev->args[row] != NO_ARGS) {
		w->mark[ev->args[row] - 1] = node->mark;
		w->lane[ev->args[row] - 1] = ev->lane[row] + 1;
	}
}

static void walk_rows(void *ctx, uint32_t lane UNUSED, const uint32_t *row, size_t n)
{
	struct walk *w = ctx;
	const struct events *ev = &w->run->events;

	for (size_t i = 0; i < n; i++) {
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

static bool is_python(const void *ctx, uint32_t row)
{
	const struct events *ev = ctx;

	return ev->kind[row] == KIND_PYTHON;
}

static void merge_lanes(const struct run *r, const struct frames_rows *to)
{
	const struct order *o = r->order;
	SCOPED_ARENA mem = { 0 };
	size_t *begin, cap = 0;
	uint32_t *python = order_by_lane(r, is_python, &r->events, &begin, &mem), *row = NULL;

	for (size_t i = 0; i < r->lanes.n; i++) {
		size_t host = o->host_begin[i + 1] - o->host_begin[i];
		size_t more = begin[i + 1] - begin[i], n = 0;

		if (more == 0) {
			to->lane(to->ctx, (uint32_t)i, o->host + o->host_begin[i], host);
			continue;
		}
		row = array_grow(row, &cap, host + more, sizeof(*row));
		for (size_t j = 0; j < more; j++)
			row[n++] = python[begin[i] + j];
		for (size_t j = 0; j < host; j++)
			row[n++] = o->host[o->host_begin[i] + j];
		uint32_t *scratch = zeroed(n / 2 + 1, sizeof(*scratch));
		order_sort(r, row, n, scratch);
		free(scratch);
		to->lane(to->ctx, (uint32_t)i, row, n);
	}
	free(row);
}

void frames_lanes(const struct run *r, unsigned kinds, const struct frames_rows *to)
{
	const struct order *o = r->order;

	if (has_python(r, kinds)) {
		merge_lanes(r, to);
		return;
	}
	for (size_t i = 0; i < r->lanes.n; i++)
		to->lane(to->ctx, (uint32_t)i, o->host + o->host_begin[i],
			o->host_begin[i + 1] - o->host_begin[i]);
}

size_t frames_walk(const struct run *r, unsigned kinds, const struct frames_visitor *v)
{
	struct walk w = { .run = r, .v = v, .kinds = kinds };
	const struct frames_rows rows = { &w, walk_rows };

	index_ids(&w);
	frames_lanes(r, kinds, &rows);
	FREE_ALL(w.by_id, w.mark, w.lane, w.path);
	return w.crossing;
}
