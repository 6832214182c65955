/* How well kernels fill a device, as far as a trace says: tensor cores by name, blocks per SM,
 * estimated occupancy.
 *
 * Means are weighted by duration.  What a trace does not say stays unknown: NaN, NOT_SAID. */
#pragma once

#include "analyze/measure/device/devices.h"
#include "analyze/trace/columns/events.h"
#include "analyze/trace/run.h"
#include "base/base.h"

struct filter_view;
struct interval;

/* Whether a kernel of that name computes on tensor cores (AMD: matrix cores): YES, NO, or NOT_SAID
 * where the name tells neither, as a Triton kernel's.  Ignores case.  Ask once for each distinct
 * name. Source: the TensorBoard plugin's tensor_core.py, and names of cuBLAS, cuDNN, CUTLASS,
 * Tensile and Composable Kernel up to 2026. */
enum tristate occupancy_tensor_core(struct span kernel_name);

/* The same by sym, looked up once for each distinct name that a kernel has. */
struct tensor_cores {
	const struct run *run;
	int8_t *known; /* by sym: enum tristate, or TENSOR_CORES_NOT_ASKED */
};
enum { TENSOR_CORES_NOT_ASKED = 2 };

/* Memory is the arena's: a byte for each distinct text. */
void tensor_cores_init(struct tensor_cores *t, const struct run *r, struct arena *mem);
enum tristate tensor_cores_of(struct tensor_cores *t, sym kernel_name);

/* What one kernel's arguments say; NaN where they do not.  Needs NEED_KERNEL. */
double occupancy_blocks_per_sm(const struct run *r, uint32_t row);
/* "est. achieved occupancy %" as a ratio, 0..1.  A 0 that the launch cannot have had (Kineto's
 * calculator fails on kernels with more shared memory than the default limit) is computed by the
 * same formula: min(blocks that a multiprocessor holds, blocks per SM) x threads of a block over
 * those of a multiprocessor; NaN where the device or the launch is not known. */
double occupancy_achieved_ratio(const struct run *r, uint32_t row);

/* Sums over kernels; zero-initialise. */
struct occupancy {
	int64_t kernels;   /* all that were added */
	nsec ns;           /* sum of their durations */
	nsec blocks_ns;    /* of those whose blocks per SM are known */
	nsec achieved_ns;  /* of those whose occupancy is known */
	nsec below_one_ns; /* of those with less than one block per SM: they cannot fill it */
	double blocks;     /* sum of blocks per SM x ns */
	double achieved;   /* sum of ratio x ns */
	double filled;     /* sum of min(blocks per SM, 1) x ns */
	nsec tensor_ns[3]; /* by 1 + enum tristate */
};

/* What each combination of launch arguments says: these are few, kernels many. */
struct occupancy_known {
	const struct run *run;
	double *blocks, *achieved; /* by combination; NULL: not loaded */
};

/* Needs NEED_KERNEL.  Memory is the arena's. */
void occupancy_known_init(struct occupancy_known *k, const struct run *r, struct arena *mem);

/* Adds a row of KIND_KERNEL; tc: from tensor_cores_of, or NOT_SAID. */
void occupancy_add(
	struct occupancy *o, const struct occupancy_known *k, uint32_t row, enum tristate tc);
/* Adds n kernels of `sum` ns that say the same of themselves as that row. */
void occupancy_add_alike(struct occupancy *o, const struct run *r, uint32_t row, enum tristate tc,
	int64_t n, nsec sum);

/* Means weighted by duration over the kernels that say it; NaN where none does. */
double occupancy_mean_blocks(const struct occupancy *o);
double occupancy_mean_achieved(const struct occupancy *o);
/* The share of kernel time on tensor cores.  Kernels of unknown kind are in the divisor, so it is a
 * lower bound; *most receives the upper bound, with them in the numerator too.  NaN without
 * kernels. */
double occupancy_tensor_ratio(const struct occupancy *o, double *most);

/* Estimated SM efficiency: how much of the device's SMs had a block, on average over time.  At any
 * moment the sum of the blocks per SM of the kernels that run, at most 1; out[i] is its mean over
 * window[i].  Windows are sorted and disjoint.  Kernels of `device` that pass v's kinds and streams
 * count (its steps do not); v may be NULL.  NaN for every window where no kernel says blocks per
 * SM, and for one without length.  Needs order and NEED_KERNEL.  O(n log streams).
 * Source: the TensorBoard plugin's gpu_metrics_parser.py, "Est. SM Efficiency". */
void occupancy_sm_efficiency(const struct run *r, int64_t device, const struct filter_view *v,
	const struct interval *window, size_t n, double *out);

/* Efficiency: the estimated SM efficiency of each device over all steps that are looked at. */

struct intervals;

struct efficiency {
	struct devices devices;
	double *mean; /* by index in devices; NaN where no kernel says blocks per SM */
};

/* occupancy_sm_efficiency of every device, as a mean over the time of the steps v takes, which may
 * touch or overlap; v's names do not matter.  Needs order, steps and NEED_KERNEL.  Memory is the
 * arena's. */
void efficiency_init(
	struct efficiency *e, const struct run *r, const struct filter_view *v, struct arena *mem);

/* Of one device; NaN for one that has no work. */
double efficiency_of(const struct efficiency *e, int64_t device);

/* The mean of one device over a set of times; NaN for an empty one. */
double efficiency_within(const struct run *r, int64_t device, const struct filter_view *v,
	const struct intervals *set, struct arena *mem);
