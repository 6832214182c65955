/* Whose clock the times of a record are of.
 *
 * A user of CUPTI may register a clock for the whole process; Kineto does, with the processor's
 * counter of cycles.  Records made from then on have its times, which are no times of ours. */
#pragma once

#include <pthread.h>
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

/* Whether a record's times can be of our clock; else it is counted.  Those without times can.  The
 * record is as long as cupti_size_min says. */
bool record_clock_holds(struct record_clock *c, const unsigned char *record);

/* When to record: intervals of CLOCK_REALTIME that the program's threads open and close, and the
 * worker asks about.
 *
 * Records come late, so they are kept or left out by their own times, not by when they arrive. */
enum { WINDOWS_MAX = 512 };

struct window {
	int64_t start_ns, end_ns; /* end_ns is INT64_MAX while it is open */
};

struct windows {
	pthread_mutex_t lock;
	struct window v[WINDOWS_MAX];
	int n;
	int depth;         /* nested openings: the outermost counts */
	uint64_t left_out; /* openings beyond WINDOWS_MAX */
};

void windows_init(struct windows *w);

/* Opens a window now, unless one is open already; then it must be closed twice. */
void windows_open(struct windows *w, int64_t now_ns);
void windows_close(struct windows *w, int64_t now_ns);

/* A copy the worker may look at without a lock. */
struct windows_view {
	struct window v[WINDOWS_MAX];
	int n;
};
void windows_look(struct windows *w, struct windows_view *view);

/* Whether start..end lies within one window: Kineto's rule for what is out of range. */
bool windows_hold(const struct windows_view *view, int64_t start_ns, int64_t end_ns);

/* Whether the system's clock was set while something was recorded: ranges have its times, and what
 * CUPTI tells has those of its own clock, which may follow later or not at all. */

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
