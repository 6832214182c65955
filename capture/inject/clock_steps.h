/*
 * Whether the system's clock was set while something was recorded: ranges have its times, and what
 * CUPTI tells has those of its own clock, which may follow later or not at all.
 */
#ifndef CAPTURE_INJECT_CLOCK_STEPS_H
#define CAPTURE_INJECT_CLOCK_STEPS_H

#include <stdint.h>

/* More than any slewing between two looks, which are some seconds apart. */
enum { CLOCK_STEP_NS = 10000000 };

/* All zero at first. */
struct clock_steps {
	int64_t ahead_ns; /* CLOCK_REALTIME before CLOCK_MONOTONIC, at the last look; 0: none */
	int64_t sum_ns;   /* of all steps */
	uint64_t n;
};

/* Both clocks, read at the same moment. */
void clock_steps_look(struct clock_steps *c, int64_t realtime_ns, int64_t monotonic_ns);

#endif
