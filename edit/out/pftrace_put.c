/*
 * Packets of a Perfetto trace.
 */
#include <stdlib.h>

#include "edit/out/pftrace_parts.h"
#include "edit/out/pb.h"

enum {
	SEQUENCE = 1,
	/* Of track_descriptor.proto, process_descriptor.proto, thread_descriptor.proto. */
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	PROCESS_PID = 1,
	PROCESS_SORT = 3,
	PROCESS_NAME = 6,
	PROCESS_LABELS = 8,
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_SORT = 3,
	THREAD_NAME = 5,
	/* Of clock_snapshot.proto; builtin clocks. */
	CLOCK = 1,
	CLOCK_ID = 1,
	CLOCK_TIME = 2,
	CLOCK_PRIMARY = 2,
	CLOCK_REALTIME = 1,
	CLOCK_BOOTTIME = 6,
	/* Of interned_data.proto. */
	INTERNED_CATEGORIES = 1,
	INTERNED_NAMES = 2,
	INTERNED_KEYS = 3,
	/* Words as pids and tids count from here. */
	FIRST_WORD = 0x7f000000,
	LEVELS_MAX = 64
};

/* ---- what stands before the events ---- */

static void put_clock(struct str *out, uint64_t id, int64_t t)
{
	size_t at = pbw_begin(out, CLOCK);

	pbw_varint(out, CLOCK_ID, id);
	pbw_varint(out, CLOCK_TIME, (uint64_t)t);
	pbw_end(out, at);
}

static size_t begin_packet(struct str *out)
{
	size_t at = pbw_begin(out, TRACE_PACKET);

	pbw_varint(out, PACKET_SEQUENCE, SEQUENCE);
	return at;
}

static void put_clocks(const struct pftrace *p, struct str *out)
{
	size_t packet = begin_packet(out), at = pbw_begin(out, PACKET_CLOCK_SNAPSHOT);
	nsec first = p->nevent ? p->first : 0;

	put_clock(out, CLOCK_BOOTTIME, first);
	if (p->base)
		put_clock(out, CLOCK_REALTIME, p->base + first);
	pbw_varint(out, CLOCK_PRIMARY, CLOCK_BOOTTIME);
	pbw_end(out, at);
	pbw_end(out, packet);
}

static void put_entries(struct str *out, uint32_t field, const struct strings *s)
{
	sym i;

	for (i = 0; i < s->n; i++) {
		size_t at = pbw_begin(out, field);

		pbw_varint(out, 1, i + 1u);
		pbw_bytes(out, 2, strings_get(s, i));
		pbw_end(out, at);
	}
}

static void put_interned(const struct pftrace *p, struct str *out)
{
	size_t packet = begin_packet(out), at;

	pbw_varint(out, PACKET_FLAGS, FLAG_CLEARED);
	at = pbw_begin(out, PACKET_INTERNED);
	put_entries(out, INTERNED_CATEGORIES, &p->cats);
	put_entries(out, INTERNED_NAMES, &p->names);
	put_entries(out, INTERNED_KEYS, &p->keys);
	pbw_end(out, at);
	pbw_end(out, packet);
}

/* A pid or tid as int32: a number, or one for a word. */
static uint64_t number_of(const struct pftrace *p, sym text)
{
	int64_t v = lane_number(strings_get(&p->text, text));

	if (v == LANE_NO_NUMBER)
		return FIRST_WORD + (uint64_t)text;
	return (uint64_t)(v >= INT32_MIN && v <= INT32_MAX ? v : v & INT32_MAX);
}

/* A name; without one the pid or tid where that is a word. */
static void put_name(const struct pftrace *p, struct str *out, uint32_t field, sym name, sym number)
{
	struct span word = strings_get(&p->text, number);

	if (name)
		pbw_bytes(out, field, strings_get(&p->text, name));
	else if (lane_number(word) == LANE_NO_NUMBER && word.n)
		pbw_bytes(out, field, word);
}

static void put_process(const struct pftrace *p, uint32_t i, struct str *out)
{
	const struct pf_process *v = &p->process[i];
	size_t packet = begin_packet(out), track = pbw_begin(out, PACKET_TRACK), at;

	pbw_varint(out, TRACK_UUID, i + 1u);
	at = pbw_begin(out, TRACK_PROCESS);
	pbw_varint(out, PROCESS_PID, number_of(p, v->pid));
	if (v->has_sort)
		pbw_varint(out, PROCESS_SORT, (uint64_t)v->sort);
	put_name(p, out, PROCESS_NAME, v->name, v->pid);
	if (v->labels)
		pbw_bytes(out, PROCESS_LABELS, strings_get(&p->text, v->labels));
	pbw_end(out, at);
	pbw_end(out, track);
	pbw_end(out, packet);
}

void pftrace_put_head(struct pftrace *p, struct str *out)
{
	size_t packet, at;
	uint32_t i;

	put_clocks(p, out);
	put_interned(p, out);
	packet = begin_packet(out);
	at = pbw_begin(out, PACKET_CHROME_EVENTS);
	str_add(out, p->metadata.s, p->metadata.n);
	pbw_end(out, at);
	pbw_end(out, packet);
	for (i = 0; i < p->processes.n; i++)
		put_process(p, i, out);
	p->track = p->processes.n;
}

/* ---- events ---- */

/* A row's track; level: of those beside each other, the first is the row itself. */
static uint64_t put_track(
	struct pftrace *p, uint32_t lane, int level, uint64_t parent, struct str *out)
{
	const struct pf_lane *v = &p->lane[lane];
	size_t packet = begin_packet(out), track = pbw_begin(out, PACKET_TRACK), at;
	uint64_t uuid = ++p->track;

	pbw_varint(out, TRACK_UUID, uuid);
	pbw_varint(out, TRACK_PARENT, level ? parent : v->process + 1u);
	if (v->row == PF_THREAD && level == 0) {
		at = pbw_begin(out, TRACK_THREAD);
		pbw_varint(out, THREAD_PID, number_of(p, p->process[v->process].pid));
		pbw_varint(out, THREAD_TID, number_of(p, v->tid));
		if (v->has_sort)
			pbw_varint(out, THREAD_SORT, (uint64_t)v->sort);
		put_name(p, out, THREAD_NAME, v->name, v->tid);
		pbw_end(out, at);
	} else if (v->row == PF_COUNTER) {
		pbw_bytes(out, TRACK_NAME, strings_get(&p->text, v->tid));
		pbw_end(out, pbw_begin(out, TRACK_COUNTER));
	} else {
		pbw_bytes(out, TRACK_NAME, level ? SPAN("beside") : strings_get(&p->text, v->name));
	}
	pbw_end(out, track);
	pbw_end(out, packet);
	return uuid;
}

static void put_event(const struct pftrace *p, unsigned type, uint64_t track, nsec at,
	const struct pf_event *v, size_t *flow, struct str *out)
{
	size_t packet = begin_packet(out), event;

	pbw_varint(out, PACKET_TIMESTAMP, (uint64_t)at);
	pbw_varint(out, PACKET_FLAGS, FLAG_NEEDED);
	event = pbw_begin(out, PACKET_TRACK_EVENT);
	pbw_varint(out, EVENT_TYPE, type);
	pbw_varint(out, EVENT_TRACK, track);
	if (v) {
		size_t i = (size_t)(v - p->event);

		str_add(out, p->bodies.s + v->body, v->body_n);
		for (; *flow < p->nflow && p->flow[*flow].event == i; ++*flow)
			pbw_fixed64(out, p->flow[*flow].ends ? EVENT_FLOW_END : EVENT_FLOW,
				p->flow[*flow].id);
	}
	pbw_end(out, event);
	pbw_end(out, packet);
}

/* The events of a row, and what of them is open and what waits for the next level. */
struct level {
	struct pftrace *p;
	struct str *out;
	uint64_t track;
	size_t *open, *rest;
	size_t nopen;
};

static void end_until(struct level *l, nsec at)
{
	size_t none = 0;

	while (l->nopen && l->p->event[l->open[l->nopen - 1]].end <= at)
		put_event(l->p, TYPE_END, l->track, l->p->event[l->open[--l->nopen]].end, NULL,
			&none, l->out);
}

/* The first flow of an event. */
static size_t flow_of(const struct pftrace *p, size_t event)
{
	size_t lo = 0, hi = p->nflow;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (p->flow[mid].event < event)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Those of n events that fit on one track; the others stay in rest.  Returns how many do. */
static size_t put_level(struct level *l, size_t n, bool is_last)
{
	struct pftrace *p = l->p;
	size_t i, waiting = 0;

	for (i = 0; i < n; i++) {
		size_t at = l->rest[i], flow = flow_of(p, at);
		struct pf_event *v = &p->event[at];

		end_until(l, v->start);
		if (v->type == TYPE_BEGIN && l->nopen &&
			p->event[l->open[l->nopen - 1]].end < v->end) {
			if (!is_last) {
				l->rest[waiting++] = at;
				continue;
			}
			v->end = p->event[l->open[l->nopen - 1]].end;
		}
		put_event(p, v->type, l->track, v->start, v, &flow, l->out);
		if (v->type == TYPE_BEGIN)
			l->open[l->nopen++] = at;
	}
	end_until(l, INT64_MAX);
	return waiting;
}

bool pftrace_put_lane(struct pftrace *p, struct str *out)
{
	uint32_t lane = p->event[p->at].lane;
	struct level l = { .p = p, .out = out };
	size_t n = 0, cap = 0, i;
	uint64_t parent = 0;
	int level;

	while (p->at + n < p->nevent && p->event[p->at + n].lane == lane)
		n++;
	l.open = array_grow(NULL, &cap, n, sizeof(*l.open));
	cap = 0;
	l.rest = array_grow(NULL, &cap, n, sizeof(*l.rest));
	for (i = 0; i < n; i++)
		l.rest[i] = p->at + i;
	p->at += n;
	for (level = 0; n > 0; level++) {
		l.track = put_track(p, lane, level, parent, out);
		parent = level ? parent : l.track;
		n = put_level(&l, n, level == LEVELS_MAX - 1);
	}
	free(l.open);
	free(l.rest);
	return p->at < p->nevent;
}
