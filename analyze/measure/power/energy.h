/* Energy of a device: samples of its power on the trace's clock, and the work they fall on.
 *
 *	W      .____.                samples; power between two is the line through them
 *	  .___/      \___.
 *	 [ kernel ][  ][kernel]      1 W x 1 ns = 1 nJ
 *
 * All energies are differences of one rounded integral, so that parts add up to the whole to the
 * last nJ.  Where kernels run at the same time each has an equal share of time and energy; what no
 * device work runs in is idle.  Nothing is known before the first sample, behind the last one, and
 * in pauses: such time has no energy and is in no part.
 *
 * What was between two samples nobody saw.  The stated error bounds it: over a whole interval the
 * power is believed to stay among the samples next to it (two on either side), in a piece of one
 * among all samples of the device.  A piece and the rest of its interval add up, so that the error
 * of either is at most that of the other and of the whole.  Kernels that are much shorter than an
 * interval are told apart by their time only, and the error says so. */
#pragma once

#include "analyze/measure/device/classes.h"
#include "analyze/measure/device/family.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

enum { ENERGY_PAUSE = 5 }; /* an interval longer than so many usual ones is a pause */

/* Power over time. */
struct energy {
	size_t n;      /* samples */
	nsec *t;       /* their times, rising */
	double *watts; /* finite, 0 or more */
	int64_t *at;   /* nJ from the first sample to each; level in pauses */
	nsec *seen;    /* ns from the first sample to each, without pauses */
	double *error; /* nJ: sum of the errors of whole intervals up to each */
	double lo, hi; /* of all samples, W */
	nsec usual;    /* median ns between two; 0 with fewer than two */
	size_t pauses;
};

/* n samples, times rising (others are left out); memory is the arena's.  O(n log n). */
void energy_init(struct energy *e, const nsec *t, const double *watts, size_t n, struct arena *mem);

struct energy_part {
	int64_t nj;
	double error; /* nJ, at most, either way */
	nsec ns;      /* time with samples around it */
};

/* Of [from, to), as far as there are samples.  O(log n). */
struct energy_part energy_between(const struct energy *e, nsec from, nsec to);

/* What energy is split over: families of kernels that compute, and: */
enum { ENERGY_COMM = FAMILY_COUNT, ENERGY_MEMCPY, ENERGY_MEMSET, ENERGY_IDLE, ENERGY_PARTS };

/* "matmul", "communication", "idle"; constant. */
const char *energy_word(unsigned part);

struct energy_split {
	struct energy_part part[ENERGY_PARTS]; /* ns add up to whole.ns, nj to whole.nj */
	struct energy_part whole;              /* of [from, to) */
};

/*
 * The energy of [from, to) by what ran on the device.  Needs r->order.  O(n log streams + samples).
 */
void energy_split(struct energy_split *out, const struct energy *e, const struct run *r,
	const struct classes *c, int64_t device, nsec from, nsec to, struct arena *mem);
