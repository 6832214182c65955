/* The walk over host time for who is told at run time. */
#include "analyze/depgraph/hosttime_walk.h"

void hosttime_go(struct hosttime *h, nsec until, host_piece_fn *fn, void *ctx)
{
	hosttime_walk(h, until, fn, ctx);
}

void hosttime_skip(struct hosttime *h, nsec until)
{
	hosttime_walk(h, until, NULL, NULL);
}
