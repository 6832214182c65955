/*
 * Names of the same work in two runs: what changes from run to run is taken out.
 */
#ifndef ANALYZE_MEASURE_HOST_OPNAME_H
#define ANALYZE_MEASURE_HOST_OPNAME_H

#include "base/str.h"

/*
 * Appends name to out with addresses as 0x*, whole numbers among template arguments as # (unroll
 * and vector widths, tile sizes) and the number of ProfilerStep#N as *.  O(n).
 */
void opname_normal(struct str *out, struct span name);

#endif
