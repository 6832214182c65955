/* Which index needs which, what of them is built side by side, and how they are released.
 *
 *     links_join  |  order
 *     -----------------------------------------
 *     steps  |  links_walk, lane by lane  |  calls, lane by lane
 *     -----------------------------------------
 *     links_finish */
#include "analyze/trace/index.h"

#include "analyze/trace/links/calls.h"
#include "analyze/trace/links/etjoin.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/graphs/replay.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/parallel.h"

struct indexing {
	struct run *run;
	unsigned missing; /* needs that are not built yet */
};

static void drop(struct run *r)
{
	order_free(r->order);
	calls_free(r->calls);
	links_free(r->links);
	steps_free(r->steps);
	replay_free(r->replay);
	etjoin_free(r->etjoin);
}

enum { JOIN_LINKS, ORDER, FIRST_JOBS };

static void first_job(void *ctx, size_t i)
{
	const struct indexing *x = ctx;
	struct run *r = x->run;

	if (i == JOIN_LINKS && (x->missing & NEED_LINKS))
		r->links = links_join(r);
	if (i == ORDER && (x->missing & NEED_ORDER))
		r->order = order_build(r);
}

/* The steps, then the links of each lane, and the calls of each. */
static void second_job(void *ctx, size_t i)
{
	const struct indexing *x = ctx;
	struct run *r = x->run;

	if (i == 0 && (x->missing & NEED_STEPS))
		r->steps = steps_build(r);
	if (i > 0 && i <= r->lanes.n && (x->missing & NEED_LINKS))
		links_walk(r->links, r, i - 1);
	if (i > r->lanes.n && (x->missing & NEED_CALLS))
		calls_fill(r->calls, r, i - 1 - r->lanes.n);
}

void index_build_threads(struct run *r, unsigned needs, unsigned threads)
{
	struct indexing x = { .run = r };

	if (needs & (NEED_LINKS | NEED_STEPS | NEED_CALLS))
		needs |= NEED_ORDER;
	x.missing = needs & (NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_CALLS) & ~r->built;
	threads = parallel_threads(threads, r->events.n);
	r->drop_indexes = drop;
	parallel_run(FIRST_JOBS, threads, first_job, &x);
	if (x.missing & NEED_CALLS)
		r->calls = calls_new(r);
	parallel_run(1 + 2 * r->lanes.n, threads, second_job, &x);
	if (x.missing & NEED_LINKS)
		links_finish(r->links, r);
	r->built |= x.missing;
}

void index_build(struct run *r, unsigned needs)
{
	index_build_threads(r, needs, 1);
}
