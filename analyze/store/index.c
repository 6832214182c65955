/*
 * Which index needs which, and how they are released.
 */
#include "analyze/store/index.h"

#include "analyze/store/links.h"
#include "analyze/store/order.h"
#include "analyze/store/run.h"
#include "analyze/store/steps.h"

static void drop(struct run *r)
{
	order_free(r->order);
	links_free(r->links);
	steps_free(r->steps);
}

void index_build(struct run *r, unsigned needs)
{
	if (needs & (NEED_LINKS | NEED_STEPS))
		needs |= NEED_ORDER;
	r->drop_indexes = drop;
	if (needs & ~r->built & NEED_ORDER)
		r->order = order_build(r);
	if (needs & ~r->built & NEED_LINKS)
		r->links = links_build(r);
	r->built |= needs & (NEED_ORDER | NEED_LINKS);
	if (needs & ~r->built & NEED_STEPS)
		r->steps = steps_build(r);
	r->built |= needs & NEED_STEPS;
}
