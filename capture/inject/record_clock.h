/*
 * Whose clock the times of a record are of.
 *
 * A user of CUPTI may register a clock for the whole process; Kineto does, with the processor's
 * counter of cycles.  Records made from then on have its times, which are no times of ours.
 */
#ifndef CAPTURE_INJECT_RECORD_CLOCK_H
#define CAPTURE_INJECT_RECORD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct record_clock {
	int64_t start_ns;      /* CUPTI's clock when the recording began; 0: nothing is checked */
	int64_t start_mono_ns; /* the same moment, CLOCK_MONOTONIC */
	int64_t from_ns, to_ns;
	uint64_t others; /* records left out because their times are of another clock */
};

/* The recording begins: CUPTI's clock, and ours at the same moment. */
void record_clock_start(struct record_clock *c, int64_t cupti_ns, int64_t mono_ns);

/* It is now so late: later times are no times of ours. */
void record_clock_look(struct record_clock *c, int64_t mono_ns);

/*
 * Whether a record's times can be of our clock; else it is counted.  Those without times can.  The
 * record is as long as cupti_size_min says.
 */
bool record_clock_holds(struct record_clock *c, const unsigned char *record);

#endif
