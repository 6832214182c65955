/* The order in which Perfetto wants events: each row's by time, what lasts longer first. */
#include <stdlib.h>

#include "base/compare3.h"
#include "edit/out/write_pftrace_parts.h"

/* Slices stand before what happens when they begin. */
static int by_place(const void *a, const void *b)
{
	const struct pf_event *x = a, *y = b;
	bool x_slice = x->type == TYPE_BEGIN, y_slice = y->type == TYPE_BEGIN;

	return COMPARE_BY(compare3(x->lane, y->lane), compare3(x->start, y->start),
		compare3_down(x_slice, y_slice), compare3(y->end, x->end),
		compare3(x->order, y->order));
}

static int by_time(const void *a, const void *b)
{
	const struct pf_half *x = a, *y = b;

	return COMPARE_BY(
		compare3(x->lane, y->lane), compare3(x->at, y->at), compare3(x->order, y->order));
}

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
