/* Sums over calls: what is known of them, each figure with the time it is of.
 *
 * All tables that say how far something is from its roof are made of these, so that they agree to
 * the last digit: what is added is whole numbers, and no order of calls gives another sum. */
#pragma once

#include "analyze/costmodel/cost.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

/* Time in fractions of a ns that add up exactly. */
typedef __int128 roof_fine;

struct roof_sum {
	int64_t calls, flop, bytes;            /* flop, bytes: of calls that are known */
	nsec busy, own;                        /* of all calls */
	nsec flop_busy, bytes_busy, roof_busy; /* of calls whose figures are known */
	nsec bus_busy;
	nsec roof_own;                          /* own time of calls that have a roof */
	comm_bus bus;                           /* of collectives that are known */
	double both_flop, both_bytes;           /* of calls of which both are */
	roof_fine at_roof, at_compute, at_link; /* the last two: of those that are bound by it */
	bool is_most;             /* of some call the time at the roof is at most that */
	nsec why[ROOF_WHY_COUNT]; /* own time by what is not known of it */
};

/* Adds that many calls of one cost on a device; busy, own: of all of them. */
void roof_sum_add(struct roof_sum *s, const struct roof_cost *c, const struct roof_peaks *p,
	int64_t calls, nsec busy, nsec own);
void roof_sum_join(struct roof_sum *to, const struct roof_sum *from);

/* Time at the roof, ns, of the calls that have one; 0 without any. */
double roof_sum_at(const struct roof_sum *s);
/* The rest are NaN or NULL where nothing is known of it. */
/* FLOP over the time of calls whose FLOP are known, 10^12 a second. */
double roof_sum_tflops(const struct roof_sum *s);
/* Bytes a second, of calls whose bytes are known. */
double roof_sum_rate(const struct roof_sum *s);
/* Bus bandwidth of collectives, bytes a second: that of `comms`. */
double roof_sum_bus(const struct roof_sum *s);
/* Operations over bytes. */
double roof_sum_intensity(const struct roof_sum *s);
/* Time at the roof over the time taken, of calls that have a roof. */
double roof_sum_ratio(const struct roof_sum *s);
/* Share of busy in calls that have a roof. */
double roof_sum_known(const struct roof_sum *s);
/* "compute", "memory" or "link": what most of the time at the roof is; constant. */
const char *roof_sum_bound(const struct roof_sum *s);
/* The reason with most time why something is not known; ROOF_WHY_KNOWN where all is. */
enum roof_reason roof_sum_why(const struct roof_sum *s);
