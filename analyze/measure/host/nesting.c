/* Calls over time: a stack of open calls a lane, and the calls that do not fit on it once more. */
#include "analyze/measure/host/nesting.h"

#include "analyze/measure/host/frames.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"

struct nesting {
	const struct run *run;
	struct filter_view *view;
	unsigned kinds;
	const struct nesting_visitor *v; /* NULL: only the extent is wanted */
	uint32_t *row;                   /* of the lane: those left for its next part */
	bool *is_aside;                  /* by their index */
	size_t cap, aside_cap;
	uint32_t *open;
	size_t depth, open_cap;
	size_t ncrossing;
	struct nesting_extent extent;
};

static bool is_taken(struct nesting *w, uint32_t row)
{
	const struct events *ev = &w->run->events;
	bool is_device = kind_is_device(ev->kind[row]);

	return (KIND_BIT(ev->kind[row]) & w->kinds) &&
		(is_device ? filter_device(w->view, row) : filter_host(w->view, row)) &&
		filter_name(w->view, ev->name[row]);
}

/* Closes what has ended by `at`. */
static void close_until(struct nesting *w, nsec at)
{
	while (w->depth && events_end(&w->run->events, w->open[w->depth - 1]) <= at) {
		w->depth--;
		w->v->close(w->v->ctx, w->open[w->depth], w->depth);
	}
}

static void open_row(struct nesting *w, uint32_t row)
{
	w->open = array_grow(w->open, &w->open_cap, w->depth + 1, sizeof(*w->open));
	w->open[w->depth] = row;
	w->v->open(w->v->ctx, row, w->depth);
	w->depth++;
}

/* How many of the open rows, the last ones, a row crosses; *is_longer: it is longer than each. */
static size_t count_crossed(const struct nesting *w, size_t depth, uint32_t row, bool *is_longer)
{
	const struct events *ev = &w->run->events;
	nsec end = events_end(ev, row);
	size_t n = 0;

	*is_longer = true;
	for (; n < depth; n++) {
		uint32_t open = w->row[w->open[depth - 1 - n]];

		if (events_end(ev, open) >= end)
			break;
		*is_longer = *is_longer && ev->dur[row] > ev->dur[open];
	}
	return n;
}

/* Marks which of the n rows are left aside: of two that cross the shorter one, and of two as long
 * the later one. */
static void mark_aside(struct nesting *w, size_t n)
{
	const struct events *ev = &w->run->events;
	size_t depth = 0, crossed;
	bool is_longer;

	for (size_t i = 0; i < n; i++) {
		nsec start = ev->start[w->row[i]];

		while (depth && events_end(ev, w->row[w->open[depth - 1]]) <= start)
			depth--;
		crossed = count_crossed(w, depth, w->row[i], &is_longer);
		w->is_aside[i] = crossed > 0 && !is_longer;
		if (w->is_aside[i])
			continue;
		while (crossed-- > 0)
			w->is_aside[w->open[--depth]] = true;
		PUSH(w->open, depth, w->open_cap, (uint32_t)i);
	}
}

/* One part of a lane; returns how many of the n rows are left, which move to the front. */
static size_t walk_part(struct nesting *w, size_t n)
{
	size_t left = 0;

	mark_aside(w, n);
	for (size_t i = 0; i < n; i++) {
		uint32_t row = w->row[i];

		if (w->is_aside[i]) {
			w->row[left++] = row;
			continue;
		}
		close_until(w, w->run->events.start[row]);
		open_row(w, row);
	}
	close_until(w, INT64_MAX);
	return left;
}

static void add_extent(struct nesting_extent *x, const struct events *ev, uint32_t row)
{
	nsec end = events_end(ev, row);

	x->n++;
	x->first = MIN(ev->start[row], x->first);
	x->last = MAX(end, x->last);
}

/* n rows by (start, -end, file order). */
static void walk_lane(void *ctx, uint32_t lane, const uint32_t *row, size_t n)
{
	struct nesting *w = ctx;
	size_t left = 0;

	w->row = array_grow(w->row, &w->cap, n, sizeof(*w->row));
	w->is_aside = array_grow(w->is_aside, &w->aside_cap, n, sizeof(*w->is_aside));
	for (size_t i = 0; i < n; i++) {
		if (!is_taken(w, row[i]))
			continue;
		if (!w->v)
			add_extent(&w->extent, &w->run->events, row[i]);
		w->row[left++] = row[i];
	}
	for (size_t part = 0; w->v && left; part++) {
		w->v->lane(w->v->ctx, lane, part);
		left = walk_part(w, left);
		w->ncrossing += part == 0 ? left : 0;
	}
}

static void walk_devices(struct nesting *w)
{
	const struct run *r = w->run;
	const struct order *o = r->order;

	for (size_t i = 0; i < r->lanes.n; i++)
		if (o->device_begin[i + 1] > o->device_begin[i])
			walk_lane(w, (uint32_t)i, o->device + o->device_begin[i],
				o->device_begin[i + 1] - o->device_begin[i]);
}

static void walk(struct nesting *w)
{
	const struct frames_rows rows = { w, walk_lane };

	if (w->kinds & (KINDS_HOST_TREE | KIND_BIT(KIND_PYTHON)))
		frames_lanes(w->run, w->kinds, &rows);
	if (w->kinds & KINDS_DEVICE)
		walk_devices(w);
	FREE_ALL(w->row, w->is_aside, w->open);
}

size_t nesting_walk(const struct run *r, struct filter_view *view, unsigned kinds,
	const struct nesting_visitor *v)
{
	struct nesting w = { .run = r, .view = view, .kinds = kinds, .v = v };

	walk(&w);
	return w.ncrossing;
}

struct nesting_extent nesting_extent(const struct run *r, struct filter_view *view, unsigned kinds)
{
	struct nesting w = {
		.run = r,
		.view = view,
		.kinds = kinds,
		.extent = (struct nesting_extent){ 0, INT64_MAX, INT64_MIN },
	};

	walk(&w);
	return w.extent;
}

void nesting_name(struct str *b, const struct run *r, uint32_t lane, size_t part)
{
	const struct lane *l = &r->lanes.lane[lane];
	struct span name = strings_get(&r->strings, l->thread_name);
	struct span pid = strings_get(&r->strings, l->pid);
	struct span tid = strings_get(&r->strings, l->tid);

	if (l->is_device) {
		str_addf(b, "GPU %" PRId64 ", stream %" PRId64, l->device, l->stream);
	} else {
		str_addf(b, "process %.*s, ", (int)pid.n, pid.p);
		if (!span_starts(name, "thread "))
			str_addf(b, "thread %.*s%s", (int)tid.n, tid.p, name.n ? " " : "");
		str_add(b, name.p, name.n);
	}
	if (part)
		str_addf(b, " (%zu)", part + 1);
}
