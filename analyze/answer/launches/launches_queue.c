/* `launches`: how deep the queue of each stream is. */
#include "analyze/answer/launches/launches.h"
#include "analyze/measure/device/fullqueue.h"
#include "analyze/trace/columns/order.h"
#include "base/unit.h"

static void put_queue(
	struct launches *l, struct table *t, const struct lane_place *p, uint32_t *scratch)
{
	const struct run *r = l->at->run;
	nsec trace = saturate_sub(r->last_ns, r->first_ns);
	struct launch_queue q;

	launch_queue_init(&q, r, p->lane, scratch);
	nsec span = saturate_sub(q.end, q.start);
	TABLE_ROW(t, [LQUEUE_DEVICE] = cell_int(p->device), [LQUEUE_STREAM] = cell_int(p->stream),
		[LQUEUE_ENTRIES] = cell_int(q.entries), [LQUEUE_UNLINKED] = cell_int(q.unlinked),
		[LQUEUE_EARLY] = cell_int(q.early));
	if (q.entries > 0 && span > 0) {
		TABLE_CELLS(t, [LQUEUE_MEAN] = cell_ratio(q.queued_ns, span),
			[LQUEUE_WAITING] = cell_ratio(q.waiting_ns, span),
			[LQUEUE_P50] = cell_int(launch_queue_time_quantile(&q, 0.5)),
			[LQUEUE_P95] = cell_int(launch_queue_time_quantile(&q, 0.95)),
			[LQUEUE_MAX] = cell_int(q.max), [LQUEUE_SPAN] = cell_int(span),
			[LQUEUE_BLOCKED] = cell_int(q.blocked_ns),
			[LQUEUE_BLOCKED_RATIO] = cell_ratio(q.blocked_ns, trace));
		/* Statistics over changes of the depth, as pandas' describe has them. */
		double n = 0, sum = 0, squares = 0;
		int64_t low = -1;
		for (int64_t d = 0; d <= q.max; d++) {
			low = low < 0 && q.points[d] > 0 ? d : low;
			n += (double)q.points[d];
			sum += (double)q.points[d] * (double)d;
		}
		double mean = sum / n;
		for (int64_t d = 0; d <= q.max; d++)
			squares += (double)q.points[d] * ((double)d - mean) * ((double)d - mean);
		TABLE_CELLS(t, [LQUEUE_POINT_MEAN] = cell_real(mean),
			[LQUEUE_POINT_STD] = cell_real(n > 1 ? sqrt(squares / (n - 1)) : NAN),
			[LQUEUE_POINT_MIN] = cell_int(low),
			[LQUEUE_POINT_P25] = cell_int(launch_queue_point_quantile(&q, 0.25)),
			[LQUEUE_POINT_P50] = cell_int(launch_queue_point_quantile(&q, 0.5)),
			[LQUEUE_POINT_P75] = cell_int(launch_queue_point_quantile(&q, 0.75)));
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
	/* Launches that waited for room. */
	struct result *out = l->at->out;
	struct full_queue q;
	full_queue_init(&q, r, &l->at->mem);
	if (q.depth > 0)
		result_note(out, NOTE_INFO, "queue_full", l->at->input, q.held,
			"%" PRId64 " launches waited %s for room in the queue, full at %" PRIu32
			" on a %s: the CPU is as far ahead as it can be",
			q.held, unit_time(&out->mem, (double)q.held_ns), q.depth,
			q.is_streams ? "stream" : "GPU");
	arena_reset(&l->at->mem, mark);
}
