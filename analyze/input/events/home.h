/*
 * Lanes that belong to another: `cut --lanes` puts slices that overlap on lanes of their own, and
 * says by M events whose they are (LANE_HOME_NAME).
 */
#ifndef ANALYZE_INPUT_EVENTS_HOME_H
#define ANALYZE_INPUT_EVENTS_HOME_H

#include "analyze/trace/columns/strings.h"

struct run;

struct home {
	sym pid, tid; /* of the lane */
	sym of;       /* tid of the one it belongs to */
};

struct homes {
	struct home *v; /* owned */
	size_t n, cap;
};

void homes_add(struct homes *h, struct home home);

/*
 * Gives what lies on such lanes back to those they belong to, work to the lane of its device and
 * stream.  Before lanes are named.  Sorts *h.
 */
void homes_fold(struct homes *h, struct run *run);

#endif
