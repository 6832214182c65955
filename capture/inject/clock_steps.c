/*
 * The system's clock against one that nobody sets.
 */
#include "capture/inject/clock_steps.h"

void clock_steps_look(struct clock_steps *c, int64_t realtime_ns, int64_t monotonic_ns)
{
	int64_t ahead = realtime_ns - monotonic_ns, by = ahead - c->ahead_ns;

	if (c->ahead_ns && (by > CLOCK_STEP_NS || by < -CLOCK_STEP_NS)) {
		c->sum_ns += by;
		c->n++;
	}
	c->ahead_ns = ahead;
}
