/*
 * `timeline`: streams and threads by themselves, the busiest first.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "analyze/answer/timeline/timeline.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/compare3.h"
#include "base/minmax.h"
#include "base/saturate.h"

struct lane_time {
	uint32_t lane;
	nsec busy;
};

/* Adds [start, end) to the slices it lies in. */
static void add_slices(const struct timeline *l, nsec *ns, nsec start, nsec end)
{
	while (start < end) {
		size_t i = timeline_slice(l, start);
		nsec to = MIN(l->edge[i + 1], end);

		saturate_onto(&ns[i], saturate_sub(to, start));
		start = to;
	}
}

/* Regions a user named say nothing about work: a step covers all of it. */
static bool is_work(const struct timeline *l, uint32_t row)
{
	const struct run *r = l->at->run;

	if (r->events.kind[row] == KIND_ANNOTATION ||
		span_starts(run_name(r, row), "ProfilerStep#"))
		return false;
	return filter_host(&l->at->view, row);
}

nsec timeline_lane_busy(const struct timeline *l, uint32_t lane, nsec *ns)
{
	const struct run *r = l->at->run;
	bool is_device = r->lanes.lane[lane].is_device;
	const size_t *begin = is_device ? r->order->device_begin : r->order->host_begin;
	const uint32_t *row = is_device ? r->order->device : r->order->host;
	nsec at = l->first, sum = 0;
	size_t i;

	for (i = begin[lane]; i < begin[lane + 1]; i++) {
		nsec start = r->events.start[row[i]], end = events_end(&r->events, row[i]);

		start = MAX(start, at);
		end = MIN(end, l->last);
		if (start >= end ||
			!(is_device ? filter_device(&l->at->view, row[i]) : is_work(l, row[i])))
			continue;
		if (ns)
			add_slices(l, ns, start, end);
		saturate_onto(&sum, saturate_sub(end, start));
		at = end;
	}
	return sum;
}

static int busiest_first(const void *a, const void *b)
{
	const struct lane_time *x = a, *y = b;

	return COMPARE_BY(compare3(y->busy, x->busy), compare3(x->lane, y->lane));
}

void timeline_name_lane(struct table *t, size_t col, const struct run *r, const struct lane *lane)
{
	struct span name = strings_get(&r->strings, lane->thread_name);
	struct span tid = strings_get(&r->strings, lane->tid);

	if (lane->is_device)
		table_textf(t, col, "GPU %" PRId64 ", stream %" PRId64, lane->device, lane->stream);
	else if (name.n)
		table_textf(t, col, "%.*s", (int)name.n, name.p);
	else
		table_textf(t, col, "thread %.*s", (int)tid.n, tid.p);
}

static void put_lane(
	const struct timeline *l, struct table *t, const struct lane_time *v, const nsec *ns)
{
	const struct run *r = l->at->run;
	const struct lane *lane = &r->lanes.lane[v->lane];
	size_t i;

	for (i = 0; i < l->n; i++) {
		nsec length = saturate_sub(l->edge[i + 1], l->edge[i]);

		table_row(t);
		table_int(t, TLINE_AT, saturate_sub(l->edge[i], l->zero));
		table_int(t, TLINE_LENGTH, length);
		timeline_name_lane(t, TLANE_NAME, r, lane);
		table_real(t, TLANE_BUSY, (double)ns[i] / (double)length);
		table_int(t, TLANE_SUM, v->busy);
		table_text(t, TLANE_PID, strings_get(&r->strings, lane->pid));
		table_text(t, TLANE_TID, strings_get(&r->strings, lane->tid));
		if (!lane->is_device)
			continue;
		table_int(t, TLANE_DEVICE, lane->device);
		table_int(t, TLANE_STREAM, lane->stream);
	}
}

void timeline_put_lanes(const struct timeline *l, const struct table_doc *doc, size_t most)
{
	struct table *t = perrun_table(l->at, doc);
	const struct run *r = l->at->run;
	struct arena_mark mark = arena_mark(&l->at->mem);
	struct lane_time *v = arena_array(&l->at->mem, r->lanes.n, sizeof(*v));
	size_t n = 0, i;

	for (i = 0; i < r->lanes.n; i++) {
		v[n] = (struct lane_time){ (uint32_t)i, timeline_lane_busy(l, (uint32_t)i, NULL) };
		n += v[n].busy > 0;
	}
	qsort(v, n, sizeof(*v), busiest_first);
	for (i = 0; i < n && i < most; i++) {
		nsec *ns = arena_array(&l->at->mem, l->n, sizeof(*ns));

		(void)timeline_lane_busy(l, v[i].lane, ns);
		put_lane(l, t, &v[i], ns);
	}
	t->ncut += (n - i) * l->n;
	arena_reset(&l->at->mem, mark);
}
