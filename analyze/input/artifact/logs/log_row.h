/*
 * Whether a JSON object is a row of a log of metrics, or an object of something else.
 */
#ifndef ANALYZE_INPUT_ARTIFACT_LOGS_LOG_ROW_H
#define ANALYZE_INPUT_ARTIFACT_LOGS_LOG_ROW_H

#include <stdbool.h>

#include "analyze/input/text/json_text.h"

/* It names a step, or has a number under a key that does not only keep the books ("level", "pid").
 */
bool log_row_has_number(struct json_value row);

/*
 * It is a row although nothing is beside it: it names a step, or an epoch and a quantity, or is a
 * measurement of device memory.
 */
bool log_row_stands_alone(struct json_value row);

/* It names a step, or has a key that is a quantity of a run. */
bool log_row_is_metrics(struct json_value row);

#endif
