/* Attribution: how much of a change comes from more calls, and how much from longer ones.
 *
 * With T = calls x mean, exactly and without a term for interaction (Shapley 1953, two players):
 *
 *	by calls    = (c1 - c0) (m0 + m1) / 2
 *	by duration = (m1 - m0) (c0 + c1) / 2
 *
 * They add up to T1 - T0, and change their sign when the sides are swapped.  Work that is new or
 * gone is an effect of calls alone. */
#pragma once

#include "base/base.h"

struct attribution {
	int64_t delta;       /* ns: new - base */
	int64_t by_calls;    /* by_calls + by_duration = delta, in integers */
	int64_t by_duration; /* including the mix of shapes */
};

/* ns and calls of both sides, each per step.  Sides without calls have no time. */
struct attribution attribution_split(
	int64_t base_ns, double base_calls, int64_t now_ns, double now_calls);

/* One input shape of an op on both sides: ns and calls per step; 0 where the side has none. */
struct attribution_shape {
	double base_ns, base_calls, now_ns, now_calls;
};

/* The part of by_duration that is there within the same shapes: the sum of (m1 - m0) (c0 + c1) / 2
 * over the shapes that both sides have.  What is left of by_duration is the mix: the same op,
 * called more often with shapes that take longer (Simpson 1951). */
int64_t attribution_same_shape(const struct attribution_shape *shape, size_t n);

/* Parts of a whole that is rounded: part[i] becomes the nearest integers to value[i] that add up to
 * total, which is the sum of the values rounded.  The largest remainders are rounded up.  Equal
 * remainders: the first. */
void attribution_round(const double *value, size_t n, int64_t total, int64_t *part);
