/*
 * Sums that end at the limits of int64_t instead of overflowing: times and sizes come from files.
 * Inline, as one is needed for every event.
 */
#ifndef BASE_SATURATE_H
#define BASE_SATURATE_H

#include <math.h>
#include <stdint.h>

#include "base/compiler.h"

static inline int64_t saturate_add(int64_t a, int64_t b)
{
	int64_t r;

	if (LIKELY(!add_overflows(a, b, &r)))
		return r;
	return b > 0 ? INT64_MAX : INT64_MIN;
}

/* Adds v to a sum. */
static inline void saturate_onto(int64_t *sum, int64_t v)
{
	*sum = saturate_add(*sum, v);
}

static inline int64_t saturate_sub(int64_t a, int64_t b)
{
	int64_t r;

	if (LIKELY(!sub_overflows(a, b, &r)))
		return r;
	return b < 0 ? INT64_MAX : INT64_MIN;
}

static inline int64_t saturate_times(int64_t a, int64_t b)
{
	int64_t r;

	if (LIKELY(!mul_overflows(a, b, &r)))
		return r;
	return (a > 0) == (b > 0) ? INT64_MAX : INT64_MIN;
}

/* The nearest whole number; 0 for NaN. */
static inline int64_t saturate_round(double v)
{
	if (v >= (double)INT64_MAX)
		return INT64_MAX;
	if (v <= (double)INT64_MIN)
		return INT64_MIN;
	return isnan(v) ? 0 : (int64_t)llround(v);
}

#endif
