/* Lost work: calls that launched what came without times, and is in no figure.
 *
 * What a device did in a gap that such work belongs into is not known: it is no idleness.  CUPTI
 * writes 0 for both ends of what it could not time. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct run;

struct lost_launch {
	uint32_t lane;
	nsec at; /* when the call began */
};

struct lost_work {
	struct lost_launch *v; /* by lane and time */
	size_t n, cap;
};

/* Needs order and links.  O(calls) where work came without times, else nothing.  Memory is the
 * arena's. */
void lost_work_init(struct lost_work *w, const struct run *r, struct arena *mem);

/* Whether a thread launched lost work behind `from` and before `to`. */
bool lost_work_between(const struct lost_work *w, uint32_t lane, nsec from, nsec to);
