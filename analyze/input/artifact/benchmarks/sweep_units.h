/*
 * Batch sizes whose latencies are not in seconds, though their headings name no unit.
 */
#ifndef ANALYZE_INPUT_ARTIFACT_BENCHMARKS_SWEEP_UNITS_H
#define ANALYZE_INPUT_ARTIFACT_BENCHMARKS_SWEEP_UNITS_H

#include "analyze/input/artifact/artifact_reading.h"

/*
 * A latency times its rate is 1 in seconds, 1000 in ms.  Latencies that are in ms by every row are
 * divided by 1000, those by some rows only are left; a note says so in both cases.
 */
void sweep_units_mend(struct reading *in, struct sheet *s);

#endif
