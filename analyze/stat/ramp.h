/* Ramps: values that go steadily from one level to another, in the order of time.
 *
 *	                    ____
 *	               ___--         flat, up to `from`; a line; flat, from `to` on: either may lie
 *	   _______--```              at the end of the values
 *
 * The best of all such, by least squares, is a ramp where Student's t of its rise is none of noise,
 * at any of the places; where it takes RAMP_STEPS values and a quarter of all; and where it leaves
 * so much less than the best two levels do that two more parameters and some chance do not explain
 * it: a shift that is sharp is a shift. */
#pragma once

#include "base/base.h"

/* Of the values' mean: less is none. */
#define RAMP_LEAST 0.07
enum { RAMP_VALUES = 8, RAMP_STEPS = 4 };

struct ramp {
	size_t from, to;      /* places where it begins and ends; both 0: there is none, and too few
	                         values */
	double before, after; /* the levels */
};

/* Per value; 0 without a ramp. */
static inline double ramp_slope(const struct ramp *r)
{
	return r->to > r->from ? (r->after - r->before) / (double)(r->to - r->from) : 0;
}

/* How far it has gone at a place, of the way from before to after. */
static inline double ramp_at(const struct ramp *r, size_t at)
{
	if (at <= r->from)
		return 0;
	return at >= r->to ? 1 : (double)(at - r->from) / (double)(r->to - r->from);
}

/* Among n values; false: there is none, and r is the best that there could be.  Of more than
 * RAMP_BLOCKS values the means of as many blocks.  Scratch is mem's.  O(n + RAMP_BLOCKS^2). */
enum { RAMP_BLOCKS = 400 };
bool ramp_find(struct ramp *r, const double *v, size_t n, struct arena *mem);
