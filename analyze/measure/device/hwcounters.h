/* Hardware counters that were sampled while a run was recorded: what they say of a time on a GPU.
 *
 *	  samples   |----60----|----80----|----40----|
 *	  kernel          [===============]
 *	                   50 us   100 us  50 us         (60 x 50 + 80 x 100 + 40 x 50) / 200
 *
 * A counter counts over an interval: its value holds until the next sample.
 * Power and clocks are values of a moment: between two of them they are the line through both. What
 * is before the first sample, behind the last interval and in pauses is not known, and counts
 * nowhere.  Of a time shorter than the usual interval nothing is said: its samples are of what ran
 * around it.  What runs at the same time on other streams is in the samples, too. */
#pragma once

#include "analyze/measure/device/devices.h"
#include "analyze/trace/columns/events.h"
#include "analyze/trace/unit_of_measure.h"
#include "base/base.h"
#include "base/table.h"

struct run;

/* X(id, how a series' name begins, what is in it, its measure); the order of columns. */
#define HWCOUNTERS(X)                                                \
	X(HWCOUNTER_SM, "sm__throughput.", "", MEASURE_PERCENT)      \
	X(HWCOUNTER_DRAM, "dram__throughput.", "", MEASURE_PERCENT)  \
	X(HWCOUNTER_TENSOR, "sm__", "pipe_tensor", MEASURE_PERCENT)  \
	X(HWCOUNTER_WARPS, "sm__warps_active.", "", MEASURE_PERCENT) \
	X(HWCOUNTER_POWER, "power.draw", "", MEASURE_WATT)           \
	X(HWCOUNTER_CLOCK, "clocks.sm", "", MEASURE_MHZ)

enum hwcounter {
#define X(id, name, part, measure) id,
	HWCOUNTERS(X)
#undef X
		HWCOUNTER_COUNT
};

/* A time in which a counter is known, and what of it is known of the times before. */
struct hwcounter_piece {
	nsec from, to;
	double a, b; /* at its ends */
	nsec seen;   /* ns of all pieces before */
	double sum;  /* value x ns of them */
};

struct hwcounter_curve {
	struct hwcounter_piece *piece; /* rising */
	size_t n;
	nsec usual; /* median ns from one sample to the next */
};

struct hwcounters {
	struct devices devices;
	struct hwcounter_curve (*of)[HWCOUNTER_COUNT]; /* by position in devices */
	bool has[HWCOUNTER_COUNT];                     /* on some device */
};

/* Mean values: sums of value x ns, and the ns that they are of. */
struct hwcounter_means {
	double sum[HWCOUNTER_COUNT];
	nsec ns[HWCOUNTER_COUNT];
	nsec seen; /* ns in which any of them is known */
};

/* Those of a run, whose record has them (NEED_SAMPLES); false: there are none.  Memory is the
 * arena's. */
bool hwcounters_init(struct hwcounters *c, const struct run *r, struct arena *mem);

/* Adds [from, to) on a device, of each counter whose usual interval it is not shorter than. */
void hwcounters_add(const struct hwcounters *c, struct hwcounter_means *to, int64_t device,
	nsec from, nsec till);

/* Puts them into columns from `first` on, in the order of HWCOUNTERS, of the newest row. */
void hwcounters_put(struct table *t, size_t first, const struct hwcounter_means *m);

/* Columns of tables of these figures, P before the indexes, and which of them a run has not. */
#define HWCOUNTER_COLUMNS(P)                                                                       \
	COLUMN(P##_SM, "sm_throughput_ratio", "SM", REAL, RATIO, SHOWN,                            \
		"Of what the SMs can do at most, by their busiest part, as it was sampled.",       \
		"Nsight Compute, sm__throughput.avg.pct_of_peak_sustained_elapsed")                \
	COLUMN(P##_DRAM, "dram_throughput_ratio", "DRAM", REAL, RATIO, SHOWN,                      \
		"Of the bandwidth of GPU memory, as it was sampled.",                              \
		"Nsight Compute, dram__throughput.avg.pct_of_peak_sustained_elapsed")              \
	COLUMN(P##_PIPE, "tensor_active_ratio", "tensor", REAL, RATIO, SHOWN,                      \
		"Of what the tensor cores' pipes can do at most, as it was sampled.",              \
		"Nsight Compute, sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed") \
	COLUMN(P##_WARPS, "achieved_occupancy_ratio", "occ.", REAL, RATIO, SHOWN,                  \
		"Warps active over those an SM can hold, as it was sampled.",                      \
		"Nsight Compute, sm__warps_active.avg.pct_of_peak_sustained_active")               \
	COLUMN(P##_WATTS, "mean_w", "mean W", REAL, NONE, SHOWN,                                   \
		"Mean power, as it was sampled; between two samples the line through them.")       \
	COLUMN(P##_CLOCK, "clock_hz", "clock Hz", REAL, NONE, SPARE, "Mean of clocks.sm, the same.")
uint64_t hwcounters_missing(const struct hwcounters *c, size_t first);
