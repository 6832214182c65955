/*
 * Stretches of places that are in the same step, or in none.
 */
#include "analyze/measure/host/hoststeps.h"

#include "analyze/trace/filter.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/minmax.h"
#include "base/search.h"

void host_steps_in_view(struct host_steps *h, const struct filter_view *v)
{
	*h = (struct host_steps){ .run = v->run, .step = v->step };
	if (v->step)
		return;
	h->is_in = true;
	h->end = SIZE_MAX;
}

static nsec start_at(const struct run *r, size_t place)
{
	return r->events.start[r->order->host[place]];
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
