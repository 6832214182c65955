/* Sums that end at the limits of int64_t instead of overflowing: times and sizes come from files.
 * Inline, as one is needed for every event. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/real.h"

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

/* Of a double, which may be out of every range: C says nothing of what a plain cast makes of that.
 * No other place casts a double to an integer (tests/lint/casts.sh).
 *
 * saturate_whole  its whole part; 0 for NaN
 * saturate_size   the same from 0 on
 * saturate_round  the nearest whole number; 0 for NaN */
static inline int64_t saturate_whole(double v)
{
	if (v >= (double)INT64_MAX)
		return INT64_MAX;
	if (v <= (double)INT64_MIN)
		return INT64_MIN;
	return isnan(v) ? 0 : (int64_t)v;
}

static inline size_t saturate_size(double v)
{
	if (v >= (double)SIZE_MAX)
		return SIZE_MAX;
	return v > 0 ? (size_t)v : 0;
}

static inline int64_t saturate_round(double v)
{
	if (v >= (double)INT64_MAX)
		return INT64_MAX;
	if (v <= (double)INT64_MIN)
		return INT64_MIN;
	if (isnan(v))
		return 0;
	/* What is behind the point is exact; of halves that away from zero is the nearest. */
	int64_t whole = (int64_t)v;
	double part = v - (double)whole;

	return whole + (part >= 0.5) - (part <= -0.5);
}
