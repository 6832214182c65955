/*
 * `timeline`: devices, queues and copies, slice by slice.
 */
#include <math.h>
#include <stdlib.h>

#include "analyze/answer/timeline/timeline.h"
#include "analyze/measure/device/copyclass.h"
#include "analyze/measure/interval.h"
#include "analyze/measure/device/launchstat.h"
#include "analyze/measure/device/occupancy.h"
#include "analyze/measure/gaps/partition.h"
#include "analyze/measure/device/sweep.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/minmax.h"
#include "base/saturate.h"

enum { BAR_MARKS = 20, KINDS = 3 };

static void put_slice(const struct timeline *l, struct table *t, size_t i)
{
	table_row(t);
	table_int(t, TLINE_AT, saturate_sub(l->edge[i], l->zero));
	table_int(t, TLINE_LENGTH, saturate_sub(l->edge[i + 1], l->edge[i]));
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
	size_t i;

	for (i = 0; i < l->n; i++)
		slice[i] = (struct interval){ l->edge[i], l->edge[i + 1] };
	occupancy_sm_efficiency(l->at->run, device, &l->at->view, slice, l->n, out);
	return out;
}

static void put_device(
	struct timeline *l, struct table *t, int64_t device, const struct partition_sums *sums)
{
	const double *sm = efficiency(l, device);
	size_t i;
	int k;

	for (i = 0; i < l->n; i++) {
		double length = (double)saturate_sub(l->edge[i + 1], l->edge[i]);
		double idle = (double)sums[i].ns[KINDS] / length;
		char bar[BAR_MARKS + 1] = "";

		put_slice(l, t, i);
		table_int(t, TLINE_DEVICE, device);
		table_real(t, TLINE_BUSY, 1 - idle);
		table_real(t, TLINE_COMPUTE, (double)sums[i].ns[0] / length);
		table_real(t, TLINE_COMM, (double)sums[i].ns[1] / length);
		table_real(t, TLINE_MEMCPY, (double)sums[i].ns[2] / length);
		table_real(t, TLINE_IDLE, idle);
		if (!isnan(sm[i]))
			table_real(t, TLINE_SM, sm[i]);
		for (k = 0; k < BAR_MARKS && k < saturate_round((1 - idle) * BAR_MARKS); k++)
			bar[k] = '#';
		table_textf(t, TLINE_BAR, "%s", bar);
		table_int(t, TLINE_START, l->edge[i]);
		table_int(t, TLINE_CLOCK, saturate_add(l->edge[i], l->at->run->meta.base_ns));
	}
}

void timeline_put_devices(struct timeline *l, const struct table_doc *doc)
{
	struct table *t = perrun_table(l->at, doc);
	const struct run *r = l->at->run;
	struct partition_edges edges;
	size_t d;

	partition_edges_init(&edges, l->edge, l->edge + 1, l->n, &l->at->mem);
	for (d = 0; d < l->devices.n; d++) {
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

/* The depth did not change from w->at to t. */
static void pass(struct queue_walk *w, nsec t)
{
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

static void change(void *ctx, nsec t, int64_t depth)
{
	struct queue_walk *w = ctx;

	if (w->any)
		pass(w, t);
	w->at = t;
	w->depth = depth;
	w->any = true;
}

static void put_queue(struct timeline *l, struct table *t, uint32_t lane, uint32_t *scratch)
{
	const struct run *r = l->at->run;
	struct arena_mark mark = arena_mark(&l->at->mem);
	struct queue_walk w = { .l = l };
	size_t i;

	w.area = arena_array(&l->at->mem, l->n, sizeof(*w.area));
	w.most = arena_array(&l->at->mem, l->n, sizeof(*w.most));
	launch_queue_walk(r, lane, scratch, change, &w);
	for (i = 0; w.any && i < l->n; i++) {
		put_slice(l, t, i);
		table_int(t, TQUEUE_DEVICE, r->lanes.lane[lane].device);
		table_int(t, TQUEUE_STREAM, r->lanes.lane[lane].stream);
		table_real(t, TQUEUE_MEAN,
			w.area[i] / (double)saturate_sub(l->edge[i + 1], l->edge[i]));
		table_int(t, TQUEUE_MAX, w.most[i]);
	}
	arena_reset(&l->at->mem, mark);
}

void timeline_put_queues(struct timeline *l, const struct table_doc *doc)
{
	enum { QUEUES_MAX = 64 };
	struct table *t = perrun_table(l->at, doc);
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
	size_t i;

	for (i = 0; s->any && i < l->n; i++) {
		double length = (double)saturate_sub(l->edge[i + 1], l->edge[i]);

		put_slice(l, t, i);
		table_int(t, TCOPY_DEVICE, device);
		table_text(t, TCOPY_DIRECTION, span_of(copyclass_direction_word(direction)));
		table_real(t, TCOPY_BYTES, s->bytes[i]);
		table_real(t, TCOPY_RATE, s->bytes[i] / length * 1e9);
		if (s->ns[i] > 0)
			table_real(t, TCOPY_BUSY_RATE, s->bytes[i] / s->ns[i] * 1e9);
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

void timeline_put_copies(struct timeline *l, const struct table_doc *doc)
{
	struct table *t = perrun_table(l->at, doc);
	size_t d, i;

	for (d = 0; d < l->devices.n; d++) {
		struct arena_mark mark = arena_mark(&l->at->mem);
		struct copy_sums sums[COPY_DIRECTION_COUNT] = { 0 };
		struct sweep s;
		uint32_t row;

		for (i = 0; i < COPY_DIRECTION_COUNT; i++) {
			sums[i].bytes = arena_array(&l->at->mem, l->n, sizeof(double));
			sums[i].ns = arena_array(&l->at->mem, l->n, sizeof(double));
		}
		sweep_device(&s, l->at->run, l->devices.id[d], &l->at->mem);
		while (sweep_next(&s, &row))
			add_copy(l, sums, row);
		for (i = 0; i < COPY_DIRECTION_COUNT; i++)
			put_direction(l, t, l->devices.id[d], (enum copy_direction)i, &sums[i]);
		arena_reset(&l->at->mem, mark);
	}
}
