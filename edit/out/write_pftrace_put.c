/* Packets of a Perfetto trace that are events, row by row. */
#include <stdlib.h>

#include "base/compare3.h"
#include "edit/out/pb.h"
#include "edit/out/write_pftrace_parts.h"

/* The order in which Perfetto wants events: each row's by time, what lasts longer first. */

/* Slices stand before what happens when they begin. */
static int by_place(const void *a, const void *b)
{
	const struct pf_event *x = a, *y = b;
	bool x_slice = x->type == TYPE_BEGIN, y_slice = y->type == TYPE_BEGIN;

	return COMPARE_BY(compare3(x->lane, y->lane), compare3(x->start, y->start),
		compare3_down(x_slice, y_slice), compare3(y->end, x->end),
		compare3(x->order, y->order));
}

ORDER(by_time, struct pf_half, compare3(a->lane, b->lane), compare3(a->at, b->at),
	compare3(a->order, b->order))

/* Last in, first out, on each row; an end without a begin is none. */
static void join(struct pftrace *p)
{
	size_t *open, cap = 0, n = 0;

	if (p->nhalf == 0)
		return;
	qsort(p->half, p->nhalf, sizeof(*p->half), by_time);
	open = array_grow(NULL, &cap, p->nhalf, sizeof(*open));
	for (size_t i = 0; i < p->nhalf; i++) {
		const struct pf_half *h = &p->half[i];

		if (i > 0 && p->half[i - 1].lane != h->lane)
			n = 0;
		if (h->event != PF_END) {
			open[n++] = h->event;
		} else if (n > 0) {
			p->event[open[--n]].end = h->at;
			p->event[open[n]].is_open = false;
		}
	}
	free(open);
}

void pftrace_order(struct pftrace *p)
{
	join(p);
	if (p->nevent)
		qsort(p->event, p->nevent, sizeof(*p->event), by_place);
}

/* So many tracks a row has at most; what crosses on the last one ends early. */
enum { LEVELS_MAX = 1024 };

/* The events of a row, and what of them is open and what waits for the next level. */
struct level {
	struct pftrace *p;
	struct str *out;
	uint64_t track;
	size_t *open, *rest;
	size_t nopen;
};

/* v NULL: the end of a slice. */
static void put_event(
	const struct level *l, unsigned type, nsec at, const struct pf_event *v, struct str *out)
{
	size_t packet = pftrace_begin_packet(out);

	pbw_varint(out, PACKET_TIMESTAMP, pftrace_time(l->p, at));
	pbw_varint(out, PACKET_FLAGS, FLAG_STATE_NEEDED);
	size_t event = pbw_begin(out, PACKET_TRACK_EVENT);
	if (type != TYPE_NONE)
		pbw_varint(out, EVENT_TYPE, type);
	pbw_varint(out, EVENT_TRACK, l->track);
	if (v && v->body_n)
		str_add(out, l->p->bodies.s + v->body, v->body_n);
	pbw_end(out, event);
	pbw_end(out, packet);
}

static const struct pf_event *innermost(const struct level *l)
{
	return l->nopen ? &l->p->event[l->open[l->nopen - 1]] : NULL;
}

/* Ends what ends by then; what begins then as well, not before `all`: an arrow binds to it. */
static void end_until(struct level *l, nsec at, bool all)
{
	const struct pf_event *v;

	while ((v = innermost(l)) && v->end <= at && (all || v->start < at)) {
		if (!v->is_open)
			put_event(l, TYPE_END, v->end, NULL, l->out);
		l->nopen--;
	}
}

/* Those of n events that fit on one track; the others stay in rest.  Returns how many do not. */
static size_t put_level(struct level *l, size_t n, bool is_last)
{
	struct pftrace *p = l->p;
	size_t waiting = 0;
	nsec put_off = INT64_MIN; /* when the last slice begins that goes to another track */

	for (size_t i = 0; i < n; i++) {
		size_t at = l->rest[i];
		struct pf_event *v = &p->event[at];
		bool is_slice = v->type == TYPE_BEGIN;

		end_until(l, v->start, is_slice);
		bool crosses = is_slice && l->nopen && innermost(l)->end < v->end;
		if (!is_last && (crosses || (!is_slice && put_off == v->start))) {
			l->rest[waiting++] = at;
			put_off = v->start;
			continue;
		}
		if (crosses)
			v->end = innermost(l)->end;
		put_event(l, v->type, v->start, v, l->out);
		if (is_slice)
			l->open[l->nopen++] = at;
	}
	end_until(l, INT64_MAX, true);
	return waiting;
}

/* Rows that have a name and no events. */
static void put_bare(struct pftrace *p, struct str *out)
{
	for (uint32_t i = 0; i < p->lanes.n; i++)
		if (!p->lane[i].is_put)
			(void)pftrace_put_track(p, i, 0, 0, out);
}

bool pftrace_put_lane(struct pftrace *p, struct str *out)
{
	struct level l = { .p = p, .out = out };
	size_t n = 0, cap = 0;
	uint64_t parent = 0;

	if (p->at == p->nevent) {
		put_bare(p, out);
		return false;
	}
	uint32_t lane = p->event[p->at].lane;
	while (p->at + n < p->nevent && p->event[p->at + n].lane == lane)
		n++;
	l.open = array_grow(NULL, &cap, n, sizeof(*l.open));
	cap = 0;
	l.rest = array_grow(NULL, &cap, n, sizeof(*l.rest));
	for (size_t i = 0; i < n; i++)
		l.rest[i] = p->at + i;
	p->at += n;
	for (int level = 0; n > 0; level++) {
		l.track = pftrace_put_track(p, lane, level, parent, out);
		parent = level ? parent : l.track;
		l.nopen = 0;
		n = put_level(&l, n, level == LEVELS_MAX - 1);
	}
	free(l.open);
	free(l.rest);
	return true;
}
