/*
 * Host paths: moments by galloping search.
 */
#include "analyze/measure/hostpath.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyze/trace/calls.h"
#include "analyze/trace/order.h"
#include "analyze/trace/run.h"
#include "base/saturate.h"
#include "base/zeroed.h"

static bool in_tree(const struct hostpath *h, uint32_t place)
{
	return (h->calls->flags[place] & CALL_IN_TREE) != 0;
}

uint32_t hostpath_row(const struct hostpath *h, uint32_t place)
{
	return h->run->order->host[place];
}

uint32_t hostpath_up(const struct hostpath *h, uint32_t place)
{
	return h->calls->parent[place];
}

static struct calls *make_calls(const struct run *r)
{
	struct calls *c = calls_new(r);
	size_t i;

	for (i = 0; i < r->lanes.n; i++)
		calls_fill(c, r, i);
	return c;
}

void hostpath_init(struct hostpath *h, const struct run *r)
{
	size_t i;

	*h = (struct hostpath){ .run = r, .calls = r->calls };
	if (!h->calls)
		h->calls = h->own = make_calls(r);
	h->last = zeroed(r->lanes.n, sizeof(*h->last));
	for (i = 0; i < r->lanes.n; i++)
		h->last[i] = r->order->host_begin[i];
}

void hostpath_clear(struct hostpath *h)
{
	calls_free(h->own);
	free(h->last);
	*h = (struct hostpath){ 0 };
}

static nsec start_at(const struct hostpath *h, size_t place)
{
	return h->run->events.start[h->run->order->host[place]];
}

/* The first place in [lo, hi) whose call starts after t. */
static size_t first_after(const struct hostpath *h, size_t lo, size_t hi, nsec t)
{
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (start_at(h, mid) <= t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The same over the lane, from where the last question ended. */
static size_t gallop(const struct hostpath *h, uint32_t lane, nsec t)
{
	const size_t *begin = h->run->order->host_begin;
	size_t lo = h->last[lane], end = begin[lane + 1], width = 1;

	if (lo >= end || start_at(h, lo) > t)
		return first_after(h, begin[lane], lo < end ? lo : end, t);
	while (end - lo > width && start_at(h, lo + width) <= t) {
		lo += width;
		width *= 2;
	}
	return first_after(h, lo, end - lo > width ? lo + width : end, t);
}

uint32_t hostpath_at(struct hostpath *h, uint32_t lane, nsec t)
{
	const struct events *ev = &h->run->events;
	size_t after = gallop(h, lane, t);
	uint32_t place;

	if (after == h->run->order->host_begin[lane])
		return NO_ROW;
	h->last[lane] = after - 1;
	place = (uint32_t)(after - 1);
	while (place != NO_ROW &&
		(events_end(ev, hostpath_row(h, place)) <= t || !in_tree(h, place)))
		place = h->calls->parent[place];
	return place;
}

nsec hostpath_overlap(const struct hostpath *h, uint32_t place, nsec start, nsec end)
{
	const struct events *ev = &h->run->events;
	uint32_t row = hostpath_row(h, place);
	nsec from = ev->start[row], to = events_end(ev, row);

	from = from < start ? start : from;
	to = to > end ? end : to;
	return to > from ? saturate_sub(to, from) : 0;
}

uint32_t hostpath_covering(struct hostpath *h, uint32_t lane, nsec start, nsec end)
{
	nsec len = saturate_sub(end, start);
	uint32_t place = hostpath_at(h, lane, start + len / 2);

	while (place != NO_ROW && hostpath_overlap(h, place, start, end) <= len / 2)
		place = h->calls->parent[place];
	return place;
}
