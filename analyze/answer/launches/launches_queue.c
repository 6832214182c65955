/*
 * `launches`: how deep the queue of each stream is.
 */
#include <inttypes.h>
#include <math.h>

#include "analyze/answer/launches/launches.h"
#include "analyze/measure/device/launchstat.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/saturate.h"

/* Statistics over changes of the depth, as pandas' describe has them. */
static void put_points(struct table *t, const struct launch_queue *q)
{
	double n = 0, sum = 0, squares = 0;
	int64_t low = -1;

	for (int64_t d = 0; d <= q->max; d++) {
		low = low < 0 && q->points[d] > 0 ? d : low;
		n += (double)q->points[d];
		sum += (double)q->points[d] * (double)d;
	}
	double mean = sum / n;
	for (int64_t d = 0; d <= q->max; d++)
		squares += (double)q->points[d] * ((double)d - mean) * ((double)d - mean);
	table_real(t, LQUEUE_POINT_MEAN, mean);
	table_real(t, LQUEUE_POINT_STD, n > 1 ? sqrt(squares / (n - 1)) : NAN);
	table_int(t, LQUEUE_POINT_MIN, low);
	table_int(t, LQUEUE_POINT_P25, launch_queue_point_quantile(q, 0.25));
	table_int(t, LQUEUE_POINT_P50, launch_queue_point_quantile(q, 0.5));
	table_int(t, LQUEUE_POINT_P75, launch_queue_point_quantile(q, 0.75));
}

/* A queue that stays just below the limit is full, too: what is observed is 1022 to 1024. */
static void note_full(struct launches *l, const struct lane_place *p, const struct launch_queue *q)
{
	enum { NEAR = 24, SHARE = 20 };
	nsec near = 0;
	int64_t d;

	if (q->max < LAUNCH_QUEUE_FULL - NEAR)
		return;
	for (d = LAUNCH_QUEUE_FULL - NEAR; d <= q->max; d++)
		saturate_onto(&near, q->at_depth[d]);
	if (near < saturate_sub(q->end, q->start) / SHARE)
		return;
	result_note(l->at->out, NOTE_INFO, "queue_full", l->at->input, q->max,
		"the queue of GPU %" PRId64 " stream %" PRId64 " stays near %" PRId64
		", its limit: the CPU waits there until the GPU takes a launch",
		p->device, p->stream, q->max);
}

static void put_queue(
	struct launches *l, struct table *t, const struct lane_place *p, uint32_t *scratch)
{
	const struct run *r = l->at->run;
	nsec trace = saturate_sub(r->last_ns, r->first_ns);
	struct launch_queue q;

	launch_queue_init(&q, r, p->lane, scratch);
	nsec span = saturate_sub(q.end, q.start);
	table_row(t);
	table_int(t, LQUEUE_DEVICE, p->device);
	table_int(t, LQUEUE_STREAM, p->stream);
	table_int(t, LQUEUE_ENTRIES, q.entries);
	table_int(t, LQUEUE_UNLINKED, q.unlinked);
	table_int(t, LQUEUE_EARLY, q.early);
	if (q.entries > 0 && span > 0) {
		table_real(t, LQUEUE_MEAN, (double)q.queued_ns / (double)span);
		table_real(t, LQUEUE_WAITING, (double)q.waiting_ns / (double)span);
		table_int(t, LQUEUE_P50, launch_queue_time_quantile(&q, 0.5));
		table_int(t, LQUEUE_P95, launch_queue_time_quantile(&q, 0.95));
		table_int(t, LQUEUE_MAX, q.max);
		table_int(t, LQUEUE_SPAN, span);
		table_int(t, LQUEUE_BLOCKED, q.blocked_ns);
		if (trace > 0)
			table_real(t, LQUEUE_BLOCKED_RATIO, (double)q.blocked_ns / (double)trace);
		put_points(t, &q);
		note_full(l, p, &q);
	}
	launch_queue_clear(&q);
}

void launches_put_queues(struct launches *l, const struct table_doc *doc)
{
	const struct run *r = l->at->run;
	struct arena_mark mark = arena_mark(&l->at->mem);
	uint32_t *scratch = arena_array(&l->at->mem, r->args.n[ARGS_LAUNCH], sizeof(*scratch));
	struct lane_place *v = arena_array(&l->at->mem, r->lanes.n, sizeof(*v));
	struct table *t = perrun_table(l->at, doc);
	size_t n = 0, i;

	for (i = 0; i < r->lanes.n; i++)
		if (r->order->device_begin[i] < r->order->device_begin[i + 1] &&
			(!l->at->view.lane || l->at->view.lane[i]))
			v[n++] = lane_place(&r->lanes, (uint32_t)i);
	lane_places_sort(v, n);
	for (i = 0; i < n && i < l->limit; i++)
		put_queue(l, t, &v[i], scratch);
	t->ncut = n - i;
	arena_reset(&l->at->mem, mark);
}
