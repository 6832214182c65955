/* Clocks: from the timestamps of packets to one time.
 *
 * A packet's clock is one of the machine's (boot time unless it says another) or one of its
 * sequence's own, which snapshots relate to the machine's.  Among those, too, snapshots say how far
 * they are apart.  The time of a trace is that of its primary clock.
 * Source: perfetto.dev, "Clock synchronization"; clock_snapshot.proto. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "base/base.h"

enum { CLOCKS_OF_SEQUENCE = 16, CLOCKS_IN_SNAPSHOT = 32, CLOCKS_OF_TRACE = 32 };

/* A clock of a sequence. */
struct local_clock {
	uint32_t id;
	bool is_incremental;
	int64_t unit;  /* ns */
	nsec last;     /* its last time, in ns, of an incremental one */
	int64_t shift; /* what its time lacks to the trace's; has_shift: it is known */
	bool has_shift;
};

struct local_clocks {
	struct local_clock clock[CLOCKS_OF_SEQUENCE];
	size_t n;
};

/* From that time of a clock on, the trace's time is so much more. */
struct clock_shift {
	nsec from;
	int64_t shift;
};

struct machine_clock {
	uint32_t id;
	struct clock_shift *shift; /* in the order of time; owned */
	size_t n, cap;
};

struct clocks {
	uint32_t primary;
	bool primary_said, primary_used;
	struct machine_clock clock[CLOCKS_OF_TRACE];
	size_t n;
};

void clocks_init(struct clocks *c);
void clocks_clear(struct clocks *c);

/* Takes in a ClockSnapshot of a sequence; false when it is damaged. */
bool clocks_take(struct clocks *c, struct local_clocks *of, struct span snapshot);

/* The time of a timestamp of that clock in a packet of that sequence.  False when it is beyond 64
 * bits; *is_related is false when nothing relates the clock to the trace's, and the time is then
 * the clock's own. */
bool clocks_time(struct clocks *c, struct local_clocks *of, uint32_t clock, uint64_t timestamp,
	nsec *time, bool *is_related);

/* The same for the trace's own clock, which most packets have; false: it is another, or beyond 64
 * bits. */
static inline bool clocks_primary_time(
	struct clocks *c, uint32_t clock, uint64_t timestamp, nsec *time)
{
	if (UNLIKELY((clock != 0 && clock != c->primary) || timestamp > INT64_MAX))
		return false;
	c->primary_used = true;
	*time = (nsec)timestamp;
	return true;
}

/* What the trace's time lacks to nanoseconds since 1970; false when nothing says so. */
bool clocks_epoch(const struct clocks *c, int64_t *shift);
