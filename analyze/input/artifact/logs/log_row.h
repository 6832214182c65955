/* Whether a JSON object is a row of a log of metrics, or an object of something else; and which key
 * of a row names its step. */
#pragma once

#include "analyze/input/text/json_text.h"
#include "base/base.h"

/* It names a step, or has a number under a key that does not only keep the books ("level", "pid").
 */
bool log_row_has_number(struct json_value row);

/* It is a row although nothing is beside it: it names a step, or an epoch and a quantity, or is a
 * measurement of device memory. */
bool log_row_stands_alone(struct json_value row);

/* It names a step, or has a key that is a quantity of a run. */
bool log_row_is_metrics(struct json_value row);

/* How well a key names the step: 0 not at all, else the larger the better: "step", "global_step",
 * "_step" (W&B), "iteration", "iter", "train_step", "epoch_step". */
int steps_key_rank(struct span key);

/* The step of an object, by its best key; false when it has none. */
bool steps_key_find(struct json_value row, double *step);
