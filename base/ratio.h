/* Shares of a whole. */
#pragma once

#include "base/real.h"

/* part / whole; NaN, which is unknown, where there is no whole. */
static inline double ratio_of(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}
