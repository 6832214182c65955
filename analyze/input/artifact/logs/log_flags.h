/* Options of a command line in a log: "--profiler-wait-steps 5". */
#ifndef ANALYZE_INPUT_ARTIFACT_LOGS_LOG_FLAGS_H
#define ANALYZE_INPUT_ARTIFACT_LOGS_LOG_FLAGS_H

#include "analyze/input/artifact/artifact_reading.h"
#include "base/str.h"

/* The options of a line as configuration, the first of each key; false when there is none. */
bool log_flags_take(struct reading *in, struct span line, int64_t *n);

/* The line has an option of the documents' training programs. */
bool log_flags_is_known(struct span line);

#endif
