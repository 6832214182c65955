/*
 * Host time: a stack of open calls, as the op tree has it (measure/optree.h).
 */
#include "analyze/depgraph/hosttime.h"

#include <stdlib.h>

#include "analyze/measure/gaps/gap_cause.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/links/calls.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run.h"
#include "base/minmax.h"

void hosttime_init(
	struct hosttime *h, const struct run *r, struct hostwhat *what, uint32_t lane, nsec t)
{
	const struct order *o = r->order;

	*h = (struct hosttime){
		.run = r,
		.what = what,
		.kinds = calls_kinds(r),
		.place = o->host_begin[lane],
		.place_end = o->host_begin[lane + 1],
		.t = t,
	};
}

void hosttime_clear(struct hosttime *h)
{
	free(h->open);
}

static void begin(struct hosttime *h, uint32_t row)
{
	const struct host_open *up = h->depth ? &h->open[h->depth - 1] : NULL;
	struct host_open now = { .end = events_end(&h->run->events, row), .row = row };

	now.cls = hostwhat_class(h->what, row, up ? up->cls : HOST_NOTHING);
	now.factor = up ? up->factor : 1;
	now.tags = up ? up->tags : 0;
	if (h->scale)
		now.factor *= h->scale(h->scale_ctx, row, now.cls, &now.tags);
	if (h->depth == h->cap)
		h->open = array_grow(h->open, &h->cap, h->depth + 1, sizeof(*h->open));
	h->open[h->depth++] = now;
}

/* Tells the time up to `until`, in which no call begins. */
static void tell(struct hosttime *h, nsec until, host_piece_fn *fn, void *ctx)
{
	while (h->t < until) {
		const struct host_open *in = h->depth ? &h->open[h->depth - 1] : NULL;
		struct host_piece p = { h->t, until, NO_ROW, HOST_NOTHING, 1 };

		if (in && in->end <= h->t) {
			h->depth--;
			continue;
		}
		if (in) {
			p.end = MIN(in->end, until);
			p.row = in->row;
			p.cls = in->cls;
			p.factor = in->factor;
		}
		if (fn)
			fn(ctx, &p);
		h->t = p.end;
	}
}

/* A call begins: what has ended, or ends before it does, is not around it. */
static void close_for(struct hosttime *h, nsec start, nsec end)
{
	while (h->depth && (start >= h->open[h->depth - 1].end || end > h->open[h->depth - 1].end))
		h->depth--;
}

void hosttime_go(struct hosttime *h, nsec until, host_piece_fn *fn, void *ctx)
{
	const struct events *ev = &h->run->events;
	const uint32_t *host = h->run->order->host;

	for (; h->place < h->place_end && ev->start[host[h->place]] < until; h->place++) {
		uint32_t row = host[h->place];

		if (!(KIND_BIT(ev->kind[row]) & h->kinds))
			continue;
		tell(h, ev->start[row], fn, ctx);
		close_for(h, ev->start[row], events_end(ev, row));
		begin(h, row);
	}
	tell(h, until, fn, ctx);
}

void hosttime_skip(struct hosttime *h, nsec until)
{
	hosttime_go(h, until, NULL, NULL);
}

/* ---- what a thread is in: names are asked once each ---- */

/* of_name: bits */
enum { NAME_ASKED = 1, NAME_WAITS = 2, NAME_COPIES = 4 };

static void find_launches(struct hostwhat *w, const struct run *r)
{
	size_t n = r->order->device_begin[r->lanes.n];

	for (size_t i = 0; i < n; i++) {
		uint32_t side = r->events.args[r->order->device[i]];
		uint32_t row = side == NO_ARGS ? NO_ROW : r->links->launch[side - 1];

		if (row != NO_ROW)
			w->launches[row / 64] |= (uint64_t)1 << row % 64;
	}
}

void hostwhat_init(struct hostwhat *w, const struct run *r, struct arena *mem)
{
	*w = (struct hostwhat){ .run = r };
	phases_init(&w->phases, r, mem);
	w->of_name = arena_array(mem, r->strings.n, sizeof(*w->of_name));
	w->launches = arena_array(mem, r->events.n / 64 + 1, sizeof(*w->launches));
	w->in_vain = arena_array(mem, r->events.n / 64 + 1, sizeof(*w->in_vain));
	find_launches(w, r);
}

static unsigned look(struct hostwhat *w, uint32_t row)
{
	uint8_t *known = &w->of_name[w->run->events.name[row]];
	struct span name;

	if (w->run->events.kind[row] != KIND_RUNTIME)
		return 0;
	if (!*known) {
		name = run_name(w->run, row);
		*known = (uint8_t)(NAME_ASKED | (gap_causes_is_sync_name(name) ? NAME_WAITS : 0) |
			(span_has(name, "emcpy") ? NAME_COPIES : 0));
	}
	return *known;
}

bool hostwhat_waits(struct hostwhat *w, uint32_t row)
{
	return (look(w, row) & NAME_WAITS) != 0;
}

void hostwhat_waits_in_vain(struct hostwhat *w, uint32_t row)
{
	w->in_vain[row / 64] |= (uint64_t)1 << row % 64;
}

bool hostwhat_copies(struct hostwhat *w, uint32_t row)
{
	return (look(w, row) & NAME_COPIES) != 0;
}

static enum phase phase_of(struct hostwhat *w, uint32_t row)
{
	const struct events *ev = &w->run->events;

	return phases_of(&w->phases, ev->name[row], (enum kind)ev->kind[row], PHASE_OTHER);
}

void hostwhat_ask(struct hostwhat *w, uint32_t row)
{
	(void)look(w, row);
	(void)phase_of(w, row);
}

bool hostwhat_is_region(struct hostwhat *w, uint32_t row)
{
	switch (w->run->events.kind[row]) {
	case KIND_RUNTIME: return false;
	case KIND_ANNOTATION: return phase_of(w, row) != PHASE_DATA;
	case KIND_OP: return phase_of(w, row) == PHASE_OTHER; /* a step of an old trace */
	default: return false;
	}
}

enum host_class hostwhat_class(struct hostwhat *w, uint32_t row, enum host_class around)
{
	if (around == HOST_SYNC)
		return around;
	if (w->run->events.kind[row] == KIND_RUNTIME) {
		if (hostwhat_waits(w, row) && !(w->in_vain[row / 64] >> row % 64 & 1))
			return HOST_SYNC;
		if (around == HOST_DATA)
			return around;
		return hostwhat_launches(w, row) ? HOST_LAUNCH : HOST_RUNTIME;
	}
	if (around == HOST_DATA || phase_of(w, row) == PHASE_DATA)
		return HOST_DATA;
	return hostwhat_is_region(w, row) ? HOST_PYTHON : HOST_OP;
}
