/*
 * Whether a text is the log of a run, line by line.
 */
#ifndef ANALYZE_INPUT_ARTIFACT_LOGS_LOG_WEIGHT_H
#define ANALYZE_INPUT_ARTIFACT_LOGS_LOG_WEIGHT_H

#include "base/str.h"

/*
 * How much of a log a line has: 0 nothing, 1 a figure that runs have, 3 the same behind what a
 * logger writes in front, 5 a figure at a step, 10 something only such logs have.
 */
int log_weight(struct span line);

#endif
