/*
 * The order in which Perfetto wants events: each row's by time, what lasts longer first.
 */
#include <stdlib.h>

#include "edit/out/pftrace_parts.h"

static int by_place(const void *a, const void *b)
{
	const struct pf_event *x = a, *y = b;

	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int by_event(const void *a, const void *b)
{
	const struct pf_flow *x = a, *y = b;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* The innermost slice of the lane that begins at that time, or n. */
static size_t slice_at(const struct pftrace *p, uint32_t lane, nsec at)
{
	size_t lo = 0, hi = p->nevent;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct pf_event *v = &p->event[mid];

		if (v->lane < lane || (v->lane == lane && v->start <= at))
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo-- > 0 && p->event[lo].lane == lane && p->event[lo].start == at)
		if (p->event[lo].type == TYPE_BEGIN)
			return lo;
	return p->nevent;
}

void pftrace_order(struct pftrace *p)
{
	size_t i;

	if (p->nevent)
		qsort(p->event, p->nevent, sizeof(*p->event), by_place);
	for (i = 0; i < p->nflow; i++)
		p->flow[i].event = slice_at(p, p->flow[i].lane, p->flow[i].at);
	if (p->nflow)
		qsort(p->flow, p->nflow, sizeof(*p->flow), by_event);
}
