/*
 * `memory`: what its parts share.  Private to analyze/answer/memory/.
 */
#ifndef ANALYZE_ANSWER_MEMORY_MEMORY_H
#define ANALYZE_ANSWER_MEMORY_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/measure/hostpath.h"
#include "analyze/measure/memcurve.h"
#include "analyze/query/each.h"

struct memory_options {
	int64_t limit;  /* rows of ops; below 0: the default */
	int64_t points; /* of each curve; below 0: the default */
};

/* One run being looked at. */
struct memory {
	struct each *at;
	const struct memory_options *o;
	size_t limit;
	struct memcurves curves;
	struct hostpath path;
};

/* memory_device.c: "CUDA 0", "CPU": who an allocator works for; of the arena. */
struct span memory_device(const struct memcurve *c, struct arena *mem);

/* memory_ops.c: allocation by op, and what is alive at the peak. */
void memory_put_ops(struct memory *m, const struct table_doc *doc);
void memory_put_live(struct memory *m, const struct table_doc *doc);

enum {
	MPEAK_DEVICE,
	MPEAK_ALLOCATED,
	MPEAK_GROWTH,
	MPEAK_RESERVED_THEN,
	MPEAK_UNUSED,
	MPEAK_UNUSED_RATIO,
	MPEAK_CAPACITY_RATIO,
	MPEAK_STEP,
	MPEAK_AT,
	MPEAK_OP,
	MPEAK_RESERVED,
	MPEAK_TYPE,
	MPEAK_ID,
	MPEAK_EVENTS,
	MPEAK_ALLOCS,
	MPEAK_FREES,
	MPEAK_ALLOC_BYTES,
	MPEAK_FREE_BYTES,
	MPEAK_OOMS,
	MPEAK_START,
	MPEAK_CAPACITY,
	MPEAK_COLUMNS
};
enum {
	MTREND_DEVICE,
	MTREND_SIGN,
	MTREND_SLOPE,
	MTREND_SLOPE_LO,
	MTREND_SLOPE_HI,
	MTREND_STEPS,
	MTREND_FIRST,
	MTREND_LAST,
	MTREND_P,
	MTREND_RESERVED,
	MTREND_COLUMNS
};
enum {
	MOP_DEVICE,
	MOP_SELF,
	MOP_SHARE,
	MOP_SELF_NET,
	MOP_ALLOCS,
	MOP_TOTAL,
	MOP_TOTAL_NET,
	MOP_TOTAL_ALLOCS,
	MOP_NAME,
	MOP_COLUMNS
};
enum { MLIVE_DEVICE, MLIVE_BYTES, MLIVE_SHARE, MLIVE_BLOCKS, MLIVE_NAME, MLIVE_COLUMNS };
enum {
	MCURVE_DEVICE,
	MCURVE_AT,
	MCURVE_STEP,
	MCURVE_ALLOCATED,
	MCURVE_RESERVED,
	MCURVE_BYTES,
	MCURVE_START,
	MCURVE_COLUMNS
};
extern const struct column memory_peak_columns[MPEAK_COLUMNS], memory_trend_columns[MTREND_COLUMNS],
	memory_op_columns[MOP_COLUMNS], memory_live_columns[MLIVE_COLUMNS],
	memory_curve_columns[MCURVE_COLUMNS];

#endif
