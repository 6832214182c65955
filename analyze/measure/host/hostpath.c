/* Host paths: moments by galloping search. */
#include "analyze/measure/host/hostpath.h"

#include "analyze/trace/columns/order.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/links/calls.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"

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

	for (size_t i = 0; i < r->lanes.n; i++)
		calls_fill(c, r, i);
	return c;
}

void hostpath_init(struct hostpath *h, const struct run *r)
{
	*h = (struct hostpath){ .run = r, .calls = r->calls };
	if (!h->calls)
		h->calls = h->own = make_calls(r);
	h->last = zeroed(r->lanes.n, sizeof(*h->last));
	for (size_t i = 0; i < r->lanes.n; i++)
		h->last[i] = (struct hostpath_last){ r->order->host_begin[i], NO_ROW, INT64_MAX };
}

void hostpath_clear(struct hostpath *h)
{
	calls_free(h->own);
	free(h->last);
	*h = (struct hostpath){ 0 };
}

static nsec start_at(const struct run *r, size_t place)
{
	return r->events.start[r->order->host[place]];
}

/* The first place in [lo, hi) whose call starts after t. */
static size_t first_after(const struct hostpath *h, size_t lo, size_t hi, nsec t)
{
	return PARTITION_POINT(i, lo, hi, start_at(h->run, i) <= t);
}

/* So many calls are passed one by one before it gets wider. */
enum { NEAR = 4 };

/* The same over the lane, from where the last question ended. */
static size_t gallop(const struct hostpath *h, uint32_t lane, nsec t)
{
	const size_t *begin = h->run->order->host_begin;
	size_t lo = h->last[lane].place, end = begin[lane + 1], width = 1;

	if (lo >= end || start_at(h->run, lo) > t)
		return first_after(h, begin[lane], MIN(lo, end), t);
	for (int near = 0; near < NEAR; near++)
		if (++lo == end || start_at(h->run, lo) > t)
			return lo;
	while (end - lo > width && start_at(h->run, lo + width) <= t) {
		lo += width;
		width *= 2;
	}
	return first_after(h, lo, end - lo > width ? lo + width : end, t);
}

/* From a place upwards the first call that is open at t. */
static uint32_t climb(const struct hostpath *h, uint32_t place, nsec t)
{
	while (place != NO_ROW &&
		(events_end(&h->run->events, hostpath_row(h, place)) <= t || !in_tree(h, place)))
		place = h->calls->parent[place];
	return place;
}

uint32_t hostpath_at(struct hostpath *h, uint32_t lane, nsec t)
{
	size_t after = gallop(h, lane, t), begin = h->run->order->host_begin[lane];
	struct hostpath_last *last = &h->last[lane];

	if (after == begin) {
		*last = (struct hostpath_last){ begin, NO_ROW, INT64_MAX };
		return NO_ROW;
	}
	/* What had ended then has ended now. */
	if (last->place != after - 1 || t < last->t)
		last->answer = (uint32_t)(after - 1);
	last->place = after - 1;
	last->answer = climb(h, last->answer, t);
	last->t = t;
	return last->answer;
}

nsec hostpath_until(const struct hostpath *h, uint32_t lane, uint32_t place, nsec t, nsec end)
{
	const size_t *begin = h->run->order->host_begin;
	size_t next = h->last[lane].place;

	while (next < begin[lane + 1] && start_at(h->run, next) <= t)
		next++;
	if (next < begin[lane + 1] && start_at(h->run, next) < end)
		end = start_at(h->run, next);
	if (place != NO_ROW && events_end(&h->run->events, hostpath_row(h, place)) < end)
		end = events_end(&h->run->events, hostpath_row(h, place));
	return end;
}

/* How much of [start, end) the call at a place covers, in ns. */
static nsec overlap(const struct hostpath *h, uint32_t place, nsec start, nsec end)
{
	const struct events *ev = &h->run->events;
	uint32_t row = hostpath_row(h, place);
	nsec from = ev->start[row], to = events_end(ev, row);

	from = MAX(start, from);
	to = MIN(end, to);
	return to > from ? saturate_sub(to, from) : 0;
}

uint32_t hostpath_covering(struct hostpath *h, uint32_t lane, nsec start, nsec end)
{
	nsec len = saturate_sub(end, start);
	uint32_t place = hostpath_at(h, lane, start + len / 2);

	while (place != NO_ROW && overlap(h, place, start, end) <= len / 2)
		place = h->calls->parent[place];
	return place;
}

/* ---- stretches of places that are in the same step, or in none ---- */

void host_steps_in_view(struct host_steps *h, const struct filter_view *v)
{
	*h = (struct host_steps){ .run = v->run, .step = v->step };
	if (v->step)
		return;
	h->is_in = true;
	h->end = SIZE_MAX;
}

/* The first place behind `place`, of its lane, whose row starts at t or later; else the lane's end.
 * Looks near first: n steps cost n searches. */
static size_t place_at(const struct run *r, size_t place, nsec t)
{
	size_t low = place + 1, hop = 1;
	size_t end = r->order->host_begin[r->events.lane[r->order->host[place]] + 1];

	while (low + hop < end && start_at(r, low + hop) < t) {
		low += hop;
		hop *= 2;
	}
	return PARTITION_POINT(i, low, MIN(low + hop, end), start_at(r, i) < t);
}

void host_steps_look(struct host_steps *h, size_t place)
{
	const struct run *r = h->run;
	const struct steps *s = r->steps;
	nsec t = start_at(r, place), end = INT64_MAX;
	size_t next = steps_begun(s, t);
	uint32_t at = steps_at(s, t);

	if (next < s->n)
		end = s->step[next].host_start;
	if (at != NO_ROW && s->step[at].host_end < end)
		end = s->step[at].host_end;
	h->is_in = at != NO_ROW && (!h->step || h->step[at]);
	h->end = place_at(r, place, end);
}
