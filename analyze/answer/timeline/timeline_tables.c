/* `timeline`: devices, queues, copies and lanes, slice by slice. */
#include "analyze/answer/timeline/timeline.h"

#include "analyze/analysis/ranked.h"
#include "analyze/measure/device/copyclass.h"
#include "analyze/measure/device/launchstat.h"
#include "analyze/measure/device/occupancy.h"
#include "analyze/measure/device/sweep.h"
#include "analyze/measure/gaps/partition.h"
#include "analyze/trace/columns/order.h"

/* ---- streams and threads by themselves, the busiest first ---- */

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

	for (size_t i = begin[lane]; i < begin[lane + 1]; i++) {
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

struct row_cell timeline_lane_name(
	const struct table *t, const struct run *r, const struct lane *lane)
{
	struct span name = strings_get(&r->strings, lane->thread_name);
	struct span tid = strings_get(&r->strings, lane->tid);

	if (lane->is_device)
		return cell_textf(
			t, "GPU %" PRId64 ", stream %" PRId64, lane->device, lane->stream);
	if (name.n)
		return cell_textf(t, "%.*s", (int)name.n, name.p);
	return cell_textf(t, "thread %.*s", (int)tid.n, tid.p);
}

static void put_lane(
	const struct timeline *l, struct table *t, const struct ranked *v, const nsec *ns)
{
	const struct run *r = l->at->run;
	const struct lane *lane = &r->lanes.lane[v->at];

	for (size_t i = 0; i < l->n; i++) {
		nsec length = saturate_sub(l->edge[i + 1], l->edge[i]);

		TABLE_ROW(t, [TLINE_AT] = cell_int(saturate_sub(l->edge[i], l->zero)),
			[TLINE_LENGTH] = cell_int(length),
			[TLANE_NAME] = timeline_lane_name(t, r, lane),
			[TLANE_BUSY] = cell_real((double)ns[i] / (double)length),
			[TLANE_SUM] = cell_int(v->value),
			[TLANE_PID] = cell_text(strings_get(&r->strings, lane->pid)),
			[TLANE_TID] = cell_text(strings_get(&r->strings, lane->tid)),
			[TLANE_DEVICE] = CELL_IF(lane->is_device, cell_int(lane->device)),
			[TLANE_STREAM] = CELL_IF(lane->is_device, cell_int(lane->stream)));
	}
}

void timeline_put_lanes(const struct timeline *l, size_t most)
{
	struct table *t = perrun_table(l->at, &timeline_docs[TIMELINE_LANES]);
	const struct run *r = l->at->run;
	struct arena_mark mark = arena_mark(&l->at->mem);
	struct ranked *v = arena_array(&l->at->mem, r->lanes.n, sizeof(*v));
	size_t n = 0, i;

	for (i = 0; i < r->lanes.n; i++) {
		v[n] = (struct ranked){ .value = timeline_lane_busy(l, (uint32_t)i, NULL),
			.at = i };
		n += v[n].value > 0;
	}
	ranked_sort(v, n);
	for (i = 0; i < n && i < most; i++) {
		nsec *ns = arena_array(&l->at->mem, l->n, sizeof(*ns));

		(void)timeline_lane_busy(l, (uint32_t)v[i].at, ns);
		put_lane(l, t, &v[i], ns);
	}
	t->ncut += (n - i) * l->n;
	arena_reset(&l->at->mem, mark);
}

enum { BAR_MARKS = 20, KINDS = 3 };

static void put_slice(const struct timeline *l, struct table *t, size_t i)
{
	TABLE_ROW(t, [TLINE_AT] = cell_int(saturate_sub(l->edge[i], l->zero)),
		[TLINE_LENGTH] = cell_int(saturate_sub(l->edge[i + 1], l->edge[i])));
}

/* ---- devices ---- */

static unsigned kind_of(enum devclass c)
{
	if (c == CLASS_COMM)
		return 1;
	return c == CLASS_MEMCPY ? 2 : 0;
}

/* SM efficiency of each slice; NaN where it is not known. */
static double *efficiency(struct timeline *l, int64_t device)
{
	struct interval *slice = arena_array(&l->at->mem, l->n, sizeof(*slice));
	double *out = arena_array(&l->at->mem, l->n, sizeof(*out));

	for (size_t i = 0; i < l->n; i++)
		slice[i] = (struct interval){ l->edge[i], l->edge[i + 1] };
	occupancy_sm_efficiency(l->at->run, device, &l->at->view, slice, l->n, out);
	return out;
}

static void put_device(
	struct timeline *l, struct table *t, int64_t device, const struct partition_sums *sums)
{
	const double *sm = efficiency(l, device);

	for (size_t i = 0; i < l->n; i++) {
		double length = (double)saturate_sub(l->edge[i + 1], l->edge[i]);
		double idle = (double)sums[i].ns[KINDS] / length;
		char bar[BAR_MARKS + 1] = "";

		put_slice(l, t, i);
		TABLE_CELLS(
			t, [TLINE_DEVICE] = cell_int(device), [TLINE_BUSY] = cell_real(1 - idle),
			[TLINE_COMPUTE] = cell_real((double)sums[i].ns[0] / length),
			[TLINE_COMM] = cell_real((double)sums[i].ns[1] / length),
			[TLINE_MEMCPY] = cell_real((double)sums[i].ns[2] / length),
			[TLINE_IDLE] = cell_real(idle), [TLINE_SM] = cell_real(sm[i]));
		for (int k = 0; k < BAR_MARKS && k < saturate_round((1 - idle) * BAR_MARKS); k++)
			bar[k] = '#';
		TABLE_CELLS(t, [TLINE_BAR] = cell_textf(t, "%s", bar),
			[TLINE_START] = cell_int(l->edge[i]),
			[TLINE_CLOCK] =
				cell_int(saturate_add(l->edge[i], l->at->run->meta.base_ns)));
	}
}

void timeline_put_devices(struct timeline *l)
{
	struct table *t = perrun_table(l->at, &timeline_docs[TIMELINE_DEVICES]);
	const struct run *r = l->at->run;
	struct partition_edges edges;

	partition_edges_init(&edges, l->edge, l->edge + 1, l->n, &l->at->mem);
	for (size_t d = 0; d < l->devices.n; d++) {
		struct arena_mark mark = arena_mark(&l->at->mem);
		struct partition_sums *sums = arena_array(&l->at->mem, l->n, sizeof(*sums));
		struct partition p;
		struct sweep s;
		uint32_t row;
		bool any = false;

		partition_init(&p, &edges, sums, KINDS, false);
		sweep_device(&s, r, l->devices.id[d], &l->at->mem);
		while (sweep_next(&s, &row)) {
			if (!filter_device(&l->at->view, row))
				continue;
			any = true;
			partition_add(&p, kind_of(classes_of(&l->classes, row)),
				r->events.start[row], events_end(&r->events, row));
		}
		partition_end(&p);
		if (any)
			put_device(l, t, l->devices.id[d], sums);
		arena_reset(&l->at->mem, mark);
	}
}

/* ---- queues ---- */

struct queue_walk {
	const struct timeline *l;
	double *area; /* depth x ns, by slice */
	int64_t *most;
	nsec at;
	int64_t depth;
	bool any;
};

static void change(void *ctx, nsec t, int64_t depth)
{
	struct queue_walk *w = ctx;

	/* The depth did not change from w->at to t. */
	if (w->any) {
		const struct timeline *l = w->l;
		nsec from = MAX(w->at, l->first);
		nsec to = MIN(t, l->last);
		while (from < to) {
			size_t i = timeline_slice(l, from);
			nsec end = MIN(l->edge[i + 1], to);

			w->area[i] += (double)w->depth * (double)saturate_sub(end, from);
			if (w->depth > w->most[i])
				w->most[i] = w->depth;
			from = end;
		}
		w->at = t;
	}
	w->at = t;
	w->depth = depth;
	w->any = true;
}

static void put_queue(struct timeline *l, struct table *t, uint32_t lane, uint32_t *scratch)
{
	const struct run *r = l->at->run;
	struct arena_mark mark = arena_mark(&l->at->mem);
	struct queue_walk w = { .l = l };

	w.area = arena_array(&l->at->mem, l->n, sizeof(*w.area));
	w.most = arena_array(&l->at->mem, l->n, sizeof(*w.most));
	launch_queue_walk(r, lane, scratch, change, &w);
	for (size_t i = 0; w.any && i < l->n; i++) {
		put_slice(l, t, i);
		TABLE_CELLS(t, [TQUEUE_DEVICE] = cell_int(r->lanes.lane[lane].device),
			[TQUEUE_STREAM] = cell_int(r->lanes.lane[lane].stream),
			[TQUEUE_MEAN] = cell_real(
				w.area[i] / (double)saturate_sub(l->edge[i + 1], l->edge[i])),
			[TQUEUE_MAX] = cell_int(w.most[i]));
	}
	arena_reset(&l->at->mem, mark);
}

void timeline_put_queues(struct timeline *l)
{
	enum { QUEUES_MAX = 64 };
	struct table *t = perrun_table(l->at, &timeline_docs[TIMELINE_QUEUES]);
	const struct run *r = l->at->run;
	uint32_t *scratch = arena_array(&l->at->mem, r->args.n[ARGS_LAUNCH], sizeof(*scratch));
	struct lane_place *v = arena_array(&l->at->mem, r->lanes.n, sizeof(*v));
	size_t i, n = 0;

	for (i = 0; i < r->lanes.n; i++)
		if (r->order->device_begin[i] < r->order->device_begin[i + 1] &&
			(!l->at->view.lane || l->at->view.lane[i]))
			v[n++] = lane_place(&r->lanes, (uint32_t)i);
	lane_places_sort(v, n);
	for (i = 0; i < n && i < QUEUES_MAX; i++)
		put_queue(l, t, v[i].lane, scratch);
	t->ncut += (n - i) * l->n;
}

/* ---- copies ---- */

struct copy_sums {
	double *bytes, *ns; /* by slice */
	bool any;
};

/* Spreads a copy over the slices it runs in. */
static void spread(
	const struct timeline *l, struct copy_sums *s, nsec start, nsec end, double bytes)
{
	double dur = (double)saturate_sub(end, start);

	s->any = true;
	start = MAX(start, l->first);
	while (start < end && start < l->last) {
		size_t i = timeline_slice(l, start);
		nsec to = MIN(l->edge[i + 1], end);
		double part = (double)saturate_sub(to, start);

		s->bytes[i] += bytes * part / dur;
		s->ns[i] += part;
		start = to;
	}
}

static void put_direction(struct timeline *l, struct table *t, int64_t device,
	enum copy_direction direction, const struct copy_sums *s)
{
	for (size_t i = 0; s->any && i < l->n; i++) {
		double length = (double)saturate_sub(l->edge[i + 1], l->edge[i]);

		put_slice(l, t, i);
		TABLE_CELLS(t, [TCOPY_DEVICE] = cell_int(device),
			[TCOPY_DIRECTION] = cell_word(copyclass_direction_word(direction)),
			[TCOPY_BYTES] = cell_real(s->bytes[i]),
			[TCOPY_RATE] = cell_real(s->bytes[i] / length * 1e9),
			[TCOPY_BUSY_RATE] =
				CELL_IF(s->ns[i] > 0, cell_real(s->bytes[i] / s->ns[i] * 1e9)));
	}
}

static void add_copy(struct timeline *l, struct copy_sums *sums, uint32_t row)
{
	const struct run *r = l->at->run;
	const int64_t *bytes = r->args.col[ARG_DEVICE_BYTES].i64;
	uint32_t side = r->events.args[row];

	if (classes_of(&l->classes, row) != CLASS_MEMCPY || !filter_device(&l->at->view, row))
		return;
	if (!bytes || side == NO_ARGS || bytes[side - 1] == ARG_UNKNOWN)
		return;
	spread(l, &sums[copyclass_of(run_name(r, row)).direction], r->events.start[row],
		events_end(&r->events, row), (double)bytes[side - 1]);
}

void timeline_put_copies(struct timeline *l)
{
	struct table *t = perrun_table(l->at, &timeline_docs[TIMELINE_COPIES]);

	for (size_t d = 0; d < l->devices.n; d++) {
		struct arena_mark mark = arena_mark(&l->at->mem);
		struct copy_sums sums[COPY_DIRECTION_COUNT] = { 0 };
		struct sweep s;
		uint32_t row;

		for (EACH(struct copy_sums, cs, sums, COPY_DIRECTION_COUNT)) {
			cs->bytes = arena_array(&l->at->mem, l->n, sizeof(double));
			cs->ns = arena_array(&l->at->mem, l->n, sizeof(double));
		}
		sweep_device(&s, l->at->run, l->devices.id[d], &l->at->mem);
		while (sweep_next(&s, &row))
			add_copy(l, sums, row);
		for (size_t i = 0; i < COPY_DIRECTION_COUNT; i++)
			put_direction(l, t, l->devices.id[d], (enum copy_direction)i, &sums[i]);
		arena_reset(&l->at->mem, mark);
	}
}
