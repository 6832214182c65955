/*
 * Host time: a stack of open calls, as the op tree has it (measure/optree.h).
 */
#include "analyze/depgraph/hosttime.h"

#include <stdlib.h>

#include "analyze/trace/links/calls.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/arena.h"
#include "base/minmax.h"

void hosttime_init(struct hosttime *h, struct depend *d, uint32_t lane, nsec t)
{
	hosttime_over(h, d->run, &d->what, lane, t);
}

void hosttime_over(
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
