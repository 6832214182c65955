/* Syncs: rows of waiting are few beside the work they speak of. */
#include "analyze/depgraph/syncs.h"

#include "analyze/trace/columns/idmap.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"

static nsec launched_at(const struct run *r, uint32_t row)
{
	uint32_t launch = launch_of_row(r, row);

	return r->events.start[launch == NO_ROW ? row : launch];
}

/* The last work of a device lane that was launched before t; NO_ROW: none.  O(log n). */
static uint32_t launched_before(const struct run *r, uint32_t lane, nsec t)
{
	const struct order *o = r->order;
	size_t begin = o->device_begin[lane], end = o->device_begin[lane + 1];
	size_t lo = PARTITION_POINT(i, begin, end, launched_at(r, o->device[i]) < t);

	return lo > begin ? o->device[lo - 1] : NO_ROW;
}

/* What is being gathered. */
struct gathering {
	struct syncs *s;
	const struct run *run;
	struct idmap calls; /* correlation id to the row of the call; where streams wait */
	size_t call_cap, stream_cap;
};

static void index_calls(struct gathering *g)
{
	const struct run *r = g->run;
	const uint32_t *id = r->args.col[ARG_LAUNCH_CORRELATION].id;

	idmap_init(&g->calls, id, id ? r->args.n[ARGS_LAUNCH] : 0);
	for (size_t i = 0; id && i < r->events.n; i++) {
		uint32_t *slot = r->events.kind[i] == KIND_RUNTIME && r->events.args[i] != NO_ARGS
			? idmap_slot(&g->calls, id[r->events.args[i] - 1])
			: NULL;

		if (slot && *slot == 0)
			*slot = (uint32_t)i + 1;
	}
}

/* The lane of a stream that has work; NO_ROW: none. */
static uint32_t lane_of(const struct run *r, int64_t device, int64_t stream)
{
	size_t i, end;

	order_device_lanes(r->order, r, device, &i, &end);
	for (; i < end; i++)
		if (r->lanes.lane[r->order->device_lane[i]].stream == stream)
			return r->order->device_lane[i];
	return NO_ROW;
}

/* The last work before the record of the event that a row is about. */
static uint32_t recorded(const struct gathering *g, size_t side, int64_t device)
{
	const struct run *r = g->run;
	int64_t id = args_i64(&r->args, ARG_DEVICE_WAIT_CORRELATION, side);
	int64_t stream = args_i64(&r->args, ARG_DEVICE_WAIT_STREAM, side);

	if (id <= 0 || id >= ID_WIDE || stream < 0)
		return NO_ROW;
	uint32_t lane = lane_of(r, device, stream);
	uint32_t record = idmap_get(&g->calls, (uint32_t)id);
	if (lane == NO_ROW || record == NO_ROW)
		return NO_ROW;
	if (r->streams_of_processes &&
		r->lanes.lane[lane].pid != r->lanes.lane[r->events.lane[record]].pid)
		return NO_ROW;
	return launched_before(r, lane, r->events.start[record]);
}

static void add_stream(struct gathering *g, uint32_t row, uint32_t call)
{
	const struct run *r = g->run;
	const struct lane *lane = &r->lanes.lane[r->events.lane[row]];
	struct syncs *s = g->s;

	PUSH(s->stream, s->nstream, g->stream_cap,
		(struct stream_sync){
			.lane = lane_of(r, lane->device, lane->stream),
			.at = r->events.start[call == NO_ROW ? row : call],
			.work = recorded(g, r->events.args[row] - 1, lane->device),
		});
}

static void add_call(struct gathering *g, uint32_t row, uint32_t call, enum sync_kind kind)
{
	const struct run *r = g->run;
	const struct lane *lane = &r->lanes.lane[r->events.lane[row]];
	struct syncs *s = g->s;

	PUSH(s->call, s->ncall, g->call_cap,
		(struct call_sync){
			.call = call,
			.lane = kind == SYNC_STREAM ? lane_of(r, lane->device, lane->stream)
						    : NO_ROW,
			.work = kind == SYNC_EVENT
				? recorded(g, r->events.args[row] - 1, lane->device)
				: NO_ROW,
			.device = lane->device,
			.kind = kind,
		});
}

static void add_row(struct gathering *g, uint32_t row)
{
	uint32_t side = g->run->events.args[row];
	struct span name = run_name(g->run, row);

	if (side == NO_ARGS)
		return;
	uint32_t call = g->run->links->launch[side - 1];
	if (span_starts(name, "Stream Wait Event"))
		add_stream(g, row, call);
	else if (call == NO_ROW)
		return;
	else if (span_starts(name, "Context Sync"))
		add_call(g, row, call, SYNC_CONTEXT);
	else if (span_starts(name, "Stream Sync"))
		add_call(g, row, call, SYNC_STREAM);
	else if (span_starts(name, "Event Sync"))
		add_call(g, row, call, SYNC_EVENT);
}

ORDER(by_call, struct call_sync, compare3(a->call, b->call))

ORDER(by_lane_and_time, struct stream_sync, compare3(a->lane, b->lane), compare3(a->at, b->at),
	compare3(a->work, b->work))

void syncs_init(struct syncs *s, const struct run *r)
{
	struct gathering g = { .s = s, .run = r };

	*s = (struct syncs){ 0 };
	s->is_inferred = r->kind_count[KIND_SYNC] == 0;
	if (!s->is_inferred && !(r->args.needs & NEED_SYNC))
		return;
	if (s->is_inferred) {
		syncs_infer(s, r);
	} else {
		index_calls(&g);
		for (size_t row = 0; (row = events_find(&r->events, row, KIND_SYNC)) < r->events.n;
			row++)
			add_row(&g, (uint32_t)row);
		idmap_clear(&g.calls);
	}
	sort_rows(s->call, s->ncall, sizeof(*s->call), by_call);
	sort_rows(s->stream, s->nstream, sizeof(*s->stream), by_lane_and_time);
}

void syncs_clear(struct syncs *s)
{
	FREE_ALL(s->call, s->stream);
}

const struct call_sync *syncs_of_call(const struct syncs *s, uint32_t row)
{
	const struct call_sync key = { .call = row };

	return s->ncall ? bsearch(&key, s->call, s->ncall, sizeof(*s->call), by_call) : NULL;
}
