/* `check`: device events that were launched before recording began, because the queue of their
 * stream was filled before.  Profilers count correlation ids upwards, so such an event's is below
 * that of any call of its process in the trace; an id above it is that of a call that got lost.
 *
 *	recorded calls                      500    501   502
 *	stream    [- 498 -)[- 499 -)[-- 501 --)[-- 502 --)
 *	           before   before    linked */
#include "analyze/answer/check/check.h"
#include "analyze/trace/columns/order.h"

/* The id of a row in that column; 0 where there is none, or one that is not stored as it is. */
static uint32_t plain_id(const struct run *r, enum arg column, uint32_t row)
{
	const uint32_t *id = r->args.col[column].id;
	uint32_t side = r->events.args[row];

	return id && side != NO_ARGS && id[side - 1] < ID_WIDE ? id[side - 1] : 0;
}

static void keep_least(uint32_t *least, uint32_t id)
{
	if (*least == 0 || id < *least)
		*least = id;
}

/* The least id of the recorded calls by pid (a sym), and of all at 0; 0: they have none. */
static uint32_t *least_ids(const struct run *r)
{
	uint32_t *least = zeroed(r->strings.n + 1, sizeof(*least));

	for (size_t i = 0; i < r->events.n; i++) {
		if (r->events.kind[i] != KIND_RUNTIME)
			continue;
		uint32_t id = plain_id(r, ARG_LAUNCH_CORRELATION, (uint32_t)i);
		if (id == 0)
			continue;
		keep_least(&least[0], id);
		keep_least(&least[r->lanes.lane[r->events.lane[i]].pid], id);
	}
	return least;
}

/* Marks what is in front of the stream's first linked event. */
static void mark_stream(
	const struct run *r, const uint32_t *row, size_t n, const uint32_t *least, bool *queued)
{
	uint32_t call = NO_ROW;
	size_t first;

	for (first = 0; first < n; first++)
		if ((call = launch_of_row(r, row[first])) != NO_ROW)
			break;
	uint32_t limit = least[call == NO_ROW ? 0 : r->lanes.lane[r->events.lane[call]].pid];
	for (size_t i = 0; i < first; i++) {
		uint32_t id = plain_id(r, ARG_DEVICE_CORRELATION, row[i]);

		if (id > 0 && id < limit)
			queued[r->events.args[row[i]] - 1] = true;
	}
}

bool *check_find_queued(const struct run *r)
{
	bool *queued = zeroed(r->args.n[ARGS_DEVICE], sizeof(*queued));
	const struct order *o = r->order;
	uint32_t *least = least_ids(r);

	for (size_t i = 0; i < o->ndevice_lane; i++) {
		size_t begin = o->device_begin[o->device_lane[i]],
		       end = o->device_begin[o->device_lane[i] + 1];

		mark_stream(r, o->device + begin, end - begin, least, queued);
	}
	free(least);
	return queued;
}
