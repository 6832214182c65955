/* How the clock of samples taken beside a run stands to the run's own.
 *
 * nvidia-smi writes local time without a zone; a trace has ns since 1970 (its events' times, or
 * baseTimeNanoseconds before them).  The zone is the whole number of hours with which the samples
 * cover most of the trace: UTC where that is one of several, else the one nearest to it. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct run;

enum sampleclock_state {
	SAMPLECLOCK_JOINED,
	SAMPLECLOCK_NO_DATES, /* the samples have no dates */
	SAMPLECLOCK_NO_EPOCH, /* the trace does not say when it was recorded */
	SAMPLECLOCK_APART     /* with no zone they were taken while it ran */
};

enum { SAMPLECLOCK_SEARCH = INT32_MAX }; /* as zone: find it */

struct sampleclock {
	enum sampleclock_state state;
	int zone_s;    /* seconds the samples' clock is ahead of UTC */
	int others;    /* further zones with which they cover as much */
	nsec epoch_ns; /* trace time + this = ns since 1970 */
};

/* What is to be added to the run's times for ns since 1970; false: it does not say. */
bool sampleclock_epoch(const struct run *r, nsec *epoch);

/* When the run was recorded, ns since 1970: its first event, else the earliest date of its logs and
 * samples, as written; 0: nothing says. */
nsec sampleclock_recorded(const struct run *r);

/* Samples from first_s to last_s, seconds since 1970 as written; zone_s: seconds ahead of UTC, or
 * SAMPLECLOCK_SEARCH. */
void sampleclock_join(
	struct sampleclock *c, const struct run *r, double first_s, double last_s, int zone_s);

/* A sample's time on the trace's clock; joined ones only. */
nsec sampleclock_at(const struct sampleclock *c, double s);

/* "+01:00", "-9:30", "5", "Z" to seconds; `option` is for the message.  E_USAGE. */
enum status sampleclock_zone(
	const char *text, const char *option, int *zone_s, struct err *e) MUST_CHECK;
