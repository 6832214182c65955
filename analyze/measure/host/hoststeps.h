/*
 * Whether calls start in steps, for who goes over order->host by place: rows of a lane are sorted
 * by start, so the answer is found for a stretch of places at a time, and rows are not looked at.
 */
#ifndef ANALYZE_MEASURE_HOST_HOSTSTEPS_H
#define ANALYZE_MEASURE_HOST_HOSTSTEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

struct filter_view;
struct run;

struct host_steps {
	const struct run *run;
	const bool *step; /* by step: those that count; NULL: all */
	size_t end;       /* places before it have the answer */
	bool is_in;
};

/*
 * in_view: the steps v takes; without --steps everything is in them, as for filter_host, whose
 * --cat does not matter here.  Needs order and steps.
 */
void host_steps_in_view(struct host_steps *h, const struct filter_view *v);

/* The rest of the one below, at the end of a stretch. */
void host_steps_look(struct host_steps *h, size_t place);

/* Places ascend. */
HOT_INLINE bool host_steps_have(struct host_steps *h, size_t place)
{
	if (UNLIKELY(place >= h->end))
		host_steps_look(h, place);
	return h->is_in;
}

#endif
