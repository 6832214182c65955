/* The roofs of a run: for each op and its arguments what a call should cost, and how long it took.
 *
 * Time comes twice.  busy: of each call the union of the kernels below it, which is what rates are
 * of.  own: the device's time divided among calls, a moment in which several run belonging to the
 * one that began first.  It adds up, to the nanosecond, to what the devices are busy.
 *
 *	  call A  stream 7   [-------------)          A: busy 14, own 14
 *	  call B  stream 8          [-----------)     B: busy 12, own  5    sum of own = 19 = busy
 *	  device busy        [==================) */
#pragma once

#include "analyze/measure/device/classes.h"
#include "analyze/measure/device/devices.h"
#include "analyze/costmodel/cost.h"
#include "analyze/costmodel/owners.h"
#include "analyze/costmodel/peaks.h"
#include "analyze/trace/columns/keymap.h"
#include "base/base.h"

/* What of a cost's calls is counted together. */
struct roof_row_key {
	uint32_t cost;   /* index */
	uint32_t device; /* index in devices */
	uint32_t phase;  /* enum phase */
	uint32_t is_again;
	sym module;    /* where that was asked for; 0: none */
	uint32_t step; /* 1 + that of the run, one behind the last: of none; 0: not asked for */
};

struct roof_row {
	int64_t calls;
	nsec busy, own;
};

/* One call that has device work, as rows are made of; or a piece of work that no op launched. */
struct roof_made {
	uint32_t row;    /* its event; of a replay that of the capture; NO_ROW: of no op */
	uint32_t kernel; /* the row of its longest kernel, of several the first; NO_ROW: none */
	uint32_t cost;   /* index */
	uint32_t device; /* index in devices */
	nsec busy, own;
};

/* FLOP of a step by format; sums end at INT64_MAX. */
struct roof_step {
	int64_t flop[ROOF_DTYPE_COUNT];  /* of matrix units: forward and backward */
	int64_t again[ROOF_DTYPE_COUNT]; /* computed once more because it was not kept */
	nsec own, own_known;             /* time of compute; of it, in calls whose FLOP are known */
};

struct roof {
	const struct run *run;
	struct devices devices;
	struct roof_peaks *peaks; /* by index in devices */
	struct keymap keys;       /* struct roof_key */
	struct roof_cost *cost;   /* by index in keys */
	struct keymap row_keys;   /* struct roof_row_key */
	struct roof_row *row;     /* by index in row_keys */
	size_t cost_cap, row_cap;
	struct roof_step *step; /* by step of the run; outside of all: the one behind the last */
	size_t nstep;
	nsec *busy;             /* by device: the union of all its work that passes the filter */
	struct roof_made *call; /* with ROOF_CALLS only */
	size_t ncall, call_cap;
	bool has_shapes; /* of some call, or the trace says the work itself */
};

/* What rows are of besides, any of them together; of modules: owners.h.  CALLS: rows are of
 * nothing more, but calls are kept one by one, too. */
enum roof_by { ROOF_BY_MODULE = 1, ROOF_BY_STEP = 2, ROOF_CALLS = 4 };

/* given: or NULL; by: enum roof_by, or 0; owners: what is known of all work that passes v, or NULL.
 * Needs ROOF_NEEDS.  Released by roof_clear. */
void roof_init(struct roof *o, const struct run *r, const struct filter_view *v,
	const struct classes *c, const struct peaks_given *given, unsigned by,
	const struct roof_owners *owners, struct arena *mem);
void roof_clear(struct roof *o);

/* The devices that worked: how many, and one of them; 0 where their peaks differ. */
size_t roof_alike(const struct roof *o, const struct roof_peaks **peaks);

/* Time that FLOP by format take at the matrix peaks, over `open`: the time in which all devices
 * that worked could compute, ns, what is unrecorded left out (measure/window.h).  more: further
 * FLOP, or NULL.  NaN: a peak that is needed is not known. */
double roof_utilisation(const struct roof *o, const int64_t *flop, const int64_t *more, nsec open);

/* What loads have to have for it (enum need). */
#define ROOF_NEEDS                                                                       \
	(NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_SHAPES | NEED_TYPES | NEED_INPUTS | \
		NEED_COMM | NEED_FLOPS)
