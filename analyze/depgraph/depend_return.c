/*
 * What calls wait for that wait for a device.
 *
 * What a row of the trace says comes first; else a copy's own call waits for that copy, when it
 * returned after it, but for asynchronous copies of pinned memory; else a call whose name says that
 * it waits does so for the work, launched before the call, that ended last before the call did.
 */
#include "analyze/depgraph/depend_make.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/saturate.h"

/* Ends that are later than the call's by so much at most are taken for its end: two clocks. */
enum { CLOCKS_NS = 2000, LOOKS = 64 };

#define ANY_DEVICE INT64_MIN

/*
 * The last work of a lane that was launched before the call began and ended when it did.  Work
 * whose launch is not in the trace was launched before the recording.
 */
static uint32_t last_of_lane(const struct making *m, uint32_t lane, uint32_t call)
{
	const struct depend *d = m->d;
	const struct events *ev = &d->run->events;
	nsec begin = ev->start[call], end = saturate_add(events_end(ev, call), CLOCKS_NS);
	uint32_t node = lane == NO_ROW ? NO_NODE : d->last[lane];
	int looks = LOOKS;

	for (; node != NO_NODE && looks-- > 0; node = d->node[node].from[EDGE_PREV]) {
		uint32_t cause = d->node[node].from[EDGE_CAUSE];
		bool was_launched = cause == NO_NODE || d->node[cause].at < begin;

		if (was_launched && depend_fin(d, node) <= end)
			return node;
	}
	return NO_NODE;
}

/* Of the lanes of a device, or of ANY_DEVICE, the one whose work ended last. */
static uint32_t last_of_lanes(const struct making *m, int64_t device, uint32_t call)
{
	const struct lane *lanes = m->d->run->lanes.lane;
	uint32_t best = NO_NODE, lane;
	int looks = LANES_LOOKED_AT;

	for (lane = m->latest; lane != NO_ROW && looks-- > 0; lane = m->stream[lane].older) {
		uint32_t node;

		if (device != ANY_DEVICE && lanes[lane].device != device)
			continue;
		node = last_of_lane(m, lane, call);
		if (node != NO_NODE &&
			(best == NO_NODE || depend_fin(m->d, node) > depend_fin(m->d, best)))
			best = node;
	}
	return best;
}

/* Work that rows of the trace name. */
static uint32_t said(const struct making *m, uint32_t call, enum evidence *why)
{
	const struct call_sync *s = syncs_of_call(&m->syncs, call);

	if (!s)
		return NO_NODE;
	*why = EVIDENCE_ROW;
	switch (s->kind) {
	case SYNC_CONTEXT: return last_of_lanes(m, s->device, call);
	case SYNC_STREAM: return last_of_lane(m, s->lane, call);
	case SYNC_EVENT:
		*why = EVIDENCE_EVENT;
		return s->work == NO_ROW ? NO_NODE : m->work[m->d->run->events.args[s->work] - 1];
	default: return NO_NODE;
	}
}

/* Whether a call returns without waiting for its copy, however soon that ends. */
static bool is_asynchronous(const struct run *r, uint32_t call, uint32_t copy)
{
	return span_has(run_name(r, call), "Async") && span_has(run_name(r, copy), "Pinned");
}

/* The copy that a call launched and returned after. */
static uint32_t own_copy(const struct making *m, uint32_t call)
{
	const struct depend *d = m->d;
	const struct events *ev = &d->run->events;
	uint32_t node = hostwhat_launches(&d->what, call) ? m->replay[ev->args[call] - 1] : NO_NODE;

	if (node == NO_NODE || depend_fin(d, node) > events_end(ev, call) ||
		is_asynchronous(d->run, call, d->node[node].row))
		return NO_NODE;
	return node;
}

void depend_add_return(struct making *m, const struct thread *th)
{
	struct depend *d = m->d;
	enum evidence why = EVIDENCE_NONE;
	uint32_t call = th->next.row, work = said(m, call, &why), node;

	if (work == NO_NODE) {
		why = EVIDENCE_COPY;
		work = own_copy(m, call);
	}
	if (work == NO_NODE && !hostwhat_waits(&d->what, call))
		return;
	if (work == NO_NODE) {
		why = EVIDENCE_INFERRED;
		work = last_of_lanes(m, ANY_DEVICE, call);
	}
	if (work == NO_NODE) {
		d->returns[EVIDENCE_NONE]++;
		return;
	}
	d->returns[why]++;
	node = depend_add(m, &th->next, th->lane);
	d->node[node].from[EDGE_CAUSE] = work;
	d->node[node].evidence = (uint8_t)why;
	depend_bind(d, node);
	if (d->node[node].binding != EDGE_CAUSE &&
		depend_fin(d, work) <= d->run->events.start[call])
		hostwhat_waits_in_vain(&d->what, call);
}
