/* What device work waits for. */
#include "analyze/depgraph/depend_make.h"

#include "analyze/measure/gaps/gap_cause.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run.h"
#include "base/base.h"

/* Beyond these a start is not explained by what is known.  Work of another stream that was launched
 * before it is taken for what it waited for when it ended within NEAR_NS before it, or within a
 * NEAR_PART of what is to be explained: a stream waits for an event, and that for the work launched
 * before it was recorded. */
enum { UNEXPLAINED_NS = 20000, NEAR_NS = 10000, NEAR_PART = 16, LOOKS = 64 };

static void find_syncs(struct making *m)
{
	const struct syncs *s = &m->syncs;

	for (size_t i = 0; i < s->nstream; i++) {
		if (s->stream[i].lane == NO_ROW)
			continue;
		struct stream_state *st = &m->stream[s->stream[i].lane];
		if (st->sync_end == 0)
			st->sync = i;
		st->sync_end = i + 1;
	}
}

void depend_find_lanes(struct making *m, struct arena *mem)
{
	const struct run *r = m->d->run;
	const struct order *o = r->order;

	m->stream = arena_array(mem, r->lanes.n, sizeof(*m->stream));
	m->latest = NO_ROW;
	FILL(m->stream, r->lanes.n, (struct stream_state){ .newer = NO_ROW, .older = NO_ROW });
	for (size_t i = 0; i < o->ndevice_lane; i++) {
		int64_t device = r->lanes.lane[o->device_lane[i]].device;

		if (i == 0 || r->lanes.lane[o->device_lane[i - 1]].device != device)
			m->ndevice++;
		m->stream[o->device_lane[i]].device = m->ndevice - 1;
	}
	m->engine = arena_array(mem, m->ndevice, sizeof(*m->engine));
	for (size_t i = 0; i < m->ndevice; i++)
		FILL(m->engine[i], ENGINE_COUNT, NO_NODE);
	find_syncs(m);
}

/* A lane begins work: it is the first of all that are looked at. */
static void move_up(struct making *m, uint32_t lane)
{
	struct stream_state *st = &m->stream[lane];

	if (m->latest == lane)
		return;
	if (st->newer != NO_ROW)
		m->stream[st->newer].older = st->older;
	if (st->older != NO_ROW)
		m->stream[st->older].newer = st->newer;
	*st = (struct stream_state){ st->device, st->sync, st->sync_end, NO_ROW, m->latest };
	if (m->latest != NO_ROW)
		m->stream[m->latest].newer = lane;
	m->latest = lane;
}

/* Takes an edge `wait` where that finished later than the one there is. */
static void wait_for(struct making *m, uint32_t node, uint32_t other, enum evidence why)
{
	struct depend_node *n = &m->d->node[node];

	if (other == NO_NODE || other == node)
		return;
	if (n->from[EDGE_WAIT] != NO_NODE &&
		depend_fin(m->d, n->from[EDGE_WAIT]) >= depend_fin(m->d, other))
		return;
	n->from[EDGE_WAIT] = other;
	n->evidence = (uint8_t)why;
}

/* Whether the queue held work from before the recording (measure/waits.h). */
static bool is_unrecorded(const struct making *m, const struct depend_node *n, nsec launched)
{
	nsec waits = saturate_sub(n->at, launched);

	return n->from[EDGE_PREV] == NO_NODE && waits >= GAP_CAUSES_UNRECORDED_NS &&
		waits > m->work_ns;
}

/* The last work of a lane that had finished by t, as far as a few looks tell. */
static uint32_t finished(const struct depend *d, uint32_t lane, nsec t)
{
	uint32_t node = d->last[lane];
	int looks = 4;

	while (node != NO_NODE && looks-- > 0 && depend_fin(d, node) > t)
		node = d->node[node].from[EDGE_PREV];
	return node == NO_NODE || depend_fin(d, node) > t ? NO_NODE : node;
}

/* Work of the same replay on other streams: what ended last of what had ended. */
static void find_graph(struct making *m, uint32_t node, uint32_t ended_last, uint32_t launch)
{
	struct depend *d = m->d;
	nsec at = d->node[node].at;
	int looks = LANES_LOOKED_AT;

	if (depend_fin(d, ended_last) <= at) {
		if (d->node[ended_last].lane != d->node[node].lane)
			wait_for(m, node, ended_last, EVIDENCE_GRAPH);
		return;
	}
	for (uint32_t lane = m->latest; lane != NO_ROW && looks-- > 0;
		lane = m->stream[lane].older) {
		uint32_t other = lane == d->node[node].lane ? NO_NODE : finished(d, lane, at);

		if (other != NO_NODE && d->node[other].from[EDGE_CAUSE] == launch)
			wait_for(m, node, other, EVIDENCE_GRAPH);
	}
}

/* The launch of the work, and of a graph's the work before it. */
static nsec find_launch(struct making *m, uint32_t node)
{
	struct depend *d = m->d;
	struct depend_node *n = &d->node[node];
	uint32_t launch = launch_of_row(d->run, n->row);

	d->works++;
	if (launch == NO_ROW)
		return n->at;
	d->launched++;
	uint32_t at = m->launch[d->run->events.args[launch] - 1];
	if (at == NO_NODE) {
		d->early++;
		return d->run->events.start[launch];
	}
	if (!is_unrecorded(m, n, d->node[at].at))
		n->from[EDGE_CAUSE] = at;
	uint32_t *replay = &m->replay[d->run->events.args[launch] - 1];
	if (*replay != NO_NODE)
		find_graph(m, node, *replay, at);
	if (*replay == NO_NODE || depend_fin(d, *replay) <= depend_fin(d, node))
		*replay = node;
	return d->node[at].at;
}

/* Events that the stream waits for, by the time the work was launched. */
static void find_events(struct making *m, uint32_t node, nsec launched)
{
	const struct stream_sync *sync = m->syncs.stream;
	struct stream_state *st = &m->stream[m->d->node[node].lane];

	for (; st->sync < st->sync_end && sync[st->sync].at <= launched; st->sync++) {
		uint32_t row = sync[st->sync].work;
		uint32_t other = row == NO_ROW ? NO_NODE : m->work[m->d->run->events.args[row] - 1];

		if (m->syncs.is_inferred) {
			/* It began before: it did not wait for that. */
			if (other != NO_NODE && depend_fin(m->d, other) <= m->d->node[node].at)
				wait_for(m, node, other, EVIDENCE_INFERRED);
			continue;
		}
		if (other == NO_NODE)
			m->d->waits[EVIDENCE_NONE]++;
		wait_for(m, node, other, EVIDENCE_EVENT);
	}
}

/* "Memcpy HtoD (Pinned -> Device)", "CopyHostToDevice" */
static enum engine engine_of(const struct depend *d, const struct depend_node *n)
{
	if (n->cls == CLASS_COMM)
		return ENGINE_LINK;
	if (n->cls != CLASS_MEMCPY)
		return ENGINE_COUNT;
	struct span name = run_name(d->run, n->row);
	if (span_has(name, "HtoD") || span_has(name, "HostToDevice"))
		return ENGINE_TO_DEVICE;
	return span_has(name, "DtoH") || span_has(name, "DeviceToHost") ? ENGINE_FROM_DEVICE
									: ENGINE_COUNT;
}

static void find_engine(struct making *m, uint32_t node)
{
	struct depend_node *n = &m->d->node[node];
	enum engine e = engine_of(m->d, n);

	if (e == ENGINE_COUNT)
		return;
	uint32_t *last = &m->engine[m->stream[n->lane].device][e];
	if (*last != NO_NODE && m->d->node[*last].lane != n->lane &&
		depend_fin(m->d, *last) <= n->at)
		n->from[EDGE_ENGINE] = *last;
	if (*last == NO_NODE || depend_fin(m->d, *last) <= depend_fin(m->d, node))
		*last = node;
}

static nsec overlap(const struct depend *d, uint32_t node, nsec begin, nsec end)
{
	return saturate_sub(MIN(depend_fin(d, node), end), MAX(d->node[node].at, begin));
}

/* The last work of another lane that was launched before that and had ended; NO_NODE: none has.
 * Where later work was launched before it, too, and still runs, it has to have run for half of the
 * time from `known` on: short work ends all the time. */
static uint32_t launched_before(const struct depend *d, uint32_t lane, uint32_t node, nsec known)
{
	const struct depend_node *n = &d->node[node];
	uint32_t other = d->last[lane];
	bool is_last = true;
	int looks = LOOKS;

	for (; other != NO_NODE && looks-- > 0; other = d->node[other].from[EDGE_PREV]) {
		uint32_t its = d->node[other].from[EDGE_CAUSE];

		if (its != NO_NODE && n->from[EDGE_CAUSE] != NO_NODE && its >= n->from[EDGE_CAUSE])
			continue;
		if (depend_fin(d, other) <= n->at)
			return is_last ||
					overlap(d, other, known, n->at) >=
						saturate_sub(n->at, known) / 2
				? other
				: NO_NODE;
		is_last = false;
	}
	return NO_NODE;
}

/* What else may have held up work that started long after all that is known. */
static void infer(struct making *m, uint32_t node)
{
	struct depend *d = m->d;
	const struct depend_node *n = &d->node[node];
	int looks = LANES_LOOKED_AT;

	if (n->binding == EDGE_COUNT)
		return;
	nsec known = depend_until(d, node, (enum edge)n->binding);
	if (saturate_sub(n->at, known) <= UNEXPLAINED_NS)
		return;
	nsec most = saturate_sub(n->at, known) / NEAR_PART;
	most = MAX(most, NEAR_NS);
	for (uint32_t lane = m->latest; lane != NO_ROW && looks-- > 0;
		lane = m->stream[lane].older) {
		if (lane == n->lane || m->stream[lane].device != m->stream[n->lane].device)
			continue;
		uint32_t other = launched_before(d, lane, node, known);
		if (other != NO_NODE && depend_fin(d, other) > known &&
			saturate_sub(n->at, depend_fin(d, other)) <= most)
			wait_for(m, node, other, EVIDENCE_INFERRED);
	}
	depend_bind(d, node);
}

void depend_add_work(struct making *m, const struct thread *th)
{
	struct depend *d = m->d;
	uint32_t node = depend_add(m, &th->next, th->lane);
	struct depend_node *n = &d->node[node];
	uint32_t side = d->run->events.args[n->row];

	n->cls = (uint8_t)classes_of(&d->classes, n->row);
	d->work_of[n->cls]++;
	find_events(m, node, find_launch(m, node));
	find_engine(m, node);
	depend_bind(d, node);
	infer(m, node);
	move_up(m, d->node[node].lane);
	if (d->node[node].from[EDGE_WAIT] != NO_NODE)
		d->waits[d->node[node].evidence]++;
	saturate_onto(&m->work_ns, d->run->events.dur[d->node[node].row]);
	if (side != NO_ARGS)
		m->work[side - 1] = node;
}
