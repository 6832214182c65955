/* What calls wait for that wait for a device.
 *
 * What a row of the trace says comes first; else a copy's own call waits for that copy, when it
 * returned after it, but for asynchronous copies of pinned memory; else a call that launches may
 * have to wait for room in the queue; else a call whose name says that it waits does so for the
 * work, launched before the call, that ended last before the call did. */
#include "analyze/depgraph/depend_make.h"

#include "analyze/trace/run.h"
#include "base/base.h"

/* Ends that are later than the call's by so much at most are taken for its end: two clocks. */
enum { CLOCKS_NS = 2000, LOOKS = 64 };

/* A call that waited for work returns so soon behind it. */
enum { SOON_NS = 20000 };

#define ANY_DEVICE INT64_MIN

/* The last work of a lane that was launched before the call began and ended when it did.  Work
 * whose launch is not in the trace was launched before the recording. */
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

/* What a call waits for: what ended last of it first. */
enum { MOST_AWAITED = 3 };

struct awaited {
	uint32_t node[MOST_AWAITED];
	size_t n;
	enum evidence why;
};

static void await(const struct depend *d, struct awaited *a, uint32_t node)
{
	if (node == NO_NODE)
		return;
	size_t i = a->n < MOST_AWAITED ? a->n++ : MOST_AWAITED;
	for (; i > 0 && depend_fin(d, node) > depend_fin(d, a->node[i - 1]); i--)
		if (i < MOST_AWAITED)
			a->node[i] = a->node[i - 1];
	if (i < MOST_AWAITED)
		a->node[i] = node;
}

/* The lanes of a device, or of ANY_DEVICE. */
static void await_lanes(const struct making *m, int64_t device, uint32_t call, struct awaited *a)
{
	const struct lane *lanes = m->d->run->lanes.lane;
	int looks = LANES_LOOKED_AT;

	for (uint32_t lane = m->latest; lane != NO_ROW && looks-- > 0; lane = m->stream[lane].older)
		if (device == ANY_DEVICE || lanes[lane].device == device)
			await(m->d, a, last_of_lane(m, lane, call));
}

/* Work that rows of the trace name. */
static void await_said(
	const struct making *m, uint32_t call, const struct call_sync *s, struct awaited *a)
{
	a->why = EVIDENCE_ROW;
	if (s->kind == SYNC_CONTEXT)
		await_lanes(m, s->device, call, a);
	if (s->kind == SYNC_STREAM)
		await(m->d, a, last_of_lane(m, s->lane, call));
	if (s->kind != SYNC_EVENT)
		return;
	a->why = EVIDENCE_EVENT;
	if (s->work != NO_ROW)
		await(m->d, a, m->work[m->d->run->events.args[s->work] - 1]);
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

/* The work that makes room for a launch in a queue that may be full. */
static uint32_t room_behind(const struct making *m, uint32_t call)
{
	const struct events *ev = &m->d->run->events;
	uint32_t row = m->queue.depth > 0 && hostwhat_launches(&m->d->what, call)
		? m->queue.behind[ev->args[call] - 1]
		: NO_ROW;

	return row == NO_ROW ? NO_NODE : m->work[ev->args[row] - 1];
}

/* Whether a call was waiting when work ended, and returned soon. */
static bool was_awaited(const struct depend *d, uint32_t call, uint32_t node)
{
	const struct events *ev = &d->run->events;

	return depend_fin(d, node) > ev->start[call] &&
		saturate_sub(events_end(ev, call), depend_fin(d, node)) <= SOON_NS;
}

/* What no row says of a call whose name says that it waits: all streams, the stream or event that
 * its thread comes from, else what ended last. */
static void await_inferred(
	const struct making *m, uint32_t call, const struct call_sync *s, struct awaited *a)
{
	struct span name = run_name(m->d->run, call);
	struct awaited of_stream = { .n = 0 };

	a->why = EVIDENCE_INFERRED;
	if (s && s->kind == SYNC_EVENT) {
		if (s->work != NO_ROW)
			await(m->d, a, m->work[m->d->run->events.args[s->work] - 1]);
		return;
	}
	await_lanes(m, ANY_DEVICE, call, a);
	if (span_has(name, "DeviceSynchronize") || span_has(name, "CtxSynchronize"))
		return;
	a->n = MIN(a->n, 1);
	if (s)
		await(m->d, &of_stream, last_of_lane(m, s->lane, call));
	if (of_stream.n > 0 &&
		(was_awaited(m->d, call, of_stream.node[0]) ||
			!was_awaited(m->d, call, a->node[0])))
		a->node[0] = of_stream.node[0];
}

static struct awaited find_awaited(const struct making *m, uint32_t call)
{
	const struct call_sync *s = syncs_of_call(&m->syncs, call);
	struct awaited a = { .n = 0 };

	if (s && !m->syncs.is_inferred)
		await_said(m, call, s, &a);
	if (a.n == 0) {
		a.why = EVIDENCE_COPY;
		await(m->d, &a, own_copy(m, call));
	}
	if (a.n == 0) {
		a.why = EVIDENCE_QUEUE;
		await(m->d, &a, room_behind(m, call));
	}
	if (a.n == 0 && hostwhat_waits(&m->d->what, call))
		await_inferred(m, call, m->syncs.is_inferred ? s : NULL, &a);
	return a;
}

/* What follows from how a call waited, or did not. */
static void note_wait(struct making *m, uint32_t node, uint32_t call)
{
	struct depend *d = m->d;
	const struct depend_node *n = &d->node[node];

	if (n->evidence == EVIDENCE_QUEUE) {
		bool held = full_queue_held(&m->queue, d->run, call);

		d->returns[EVIDENCE_QUEUE] += held;
		if (held)
			m->launch[d->run->events.args[call] - 1] = node;
	} else {
		d->returns[n->evidence]++;
		if (n->binding != EDGE_CAUSE &&
			depend_fin(d, n->from[EDGE_CAUSE]) <= d->run->events.start[call])
			hostwhat_waits_in_vain(&d->what, call);
	}
	if (n->binding == EDGE_CAUSE && hostwhat_launches(&d->what, call))
		hostwhat_is_held(&d->what, call);
}

void depend_add_return(struct making *m, const struct thread *th)
{
	static const enum edge edges[MOST_AWAITED] = { EDGE_CAUSE, EDGE_WAIT, EDGE_ENGINE };
	struct depend *d = m->d;
	uint32_t call = th->next.row;
	struct awaited a = find_awaited(m, call);

	if (a.n == 0) {
		d->returns[EVIDENCE_NONE] += hostwhat_waits(&d->what, call);
		return;
	}
	uint32_t node = depend_add(m, &th->next, th->lane);
	for (size_t i = 0; i < a.n; i++)
		d->node[node].from[edges[i]] = a.node[i];
	d->node[node].evidence = (uint8_t)a.why;
	depend_bind(d, node);
	note_wait(m, node, call);
}
