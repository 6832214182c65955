/*
 * Efficiency: the estimated SM efficiency of each device over all steps that are looked at.
 */
#ifndef ANALYZE_MEASURE_DEVICE_EFFICIENCY_H
#define ANALYZE_MEASURE_DEVICE_EFFICIENCY_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/measure/device/devices.h"
#include "base/arena.h"

struct filter_view;
struct intervals;
struct run;

struct efficiency {
	struct devices devices;
	double *mean; /* by index in devices; NaN where no kernel says blocks per SM */
};

/*
 * occupancy_sm_efficiency of every device, as a mean over the time of the steps v takes, which may
 * touch or overlap; v's names do not matter.  Needs order, steps and NEED_KERNEL.  Memory is the
 * arena's.
 */
void efficiency_init(
	struct efficiency *e, const struct run *r, const struct filter_view *v, struct arena *mem);

/* Of one device; NaN for one that has no work. */
double efficiency_of(const struct efficiency *e, int64_t device);

/* The mean of one device over a set of times; NaN for an empty one. */
double efficiency_within(const struct run *r, int64_t device, const struct filter_view *v,
	const struct intervals *set, struct arena *mem);

#endif
