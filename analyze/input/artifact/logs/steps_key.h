/*
 * Which key of a row of a log names its step.
 */
#ifndef ANALYZE_INPUT_ARTIFACT_LOGS_STEPS_KEY_H
#define ANALYZE_INPUT_ARTIFACT_LOGS_STEPS_KEY_H

#include <stdbool.h>

#include "analyze/input/text/json_text.h"
#include "base/str.h"

/*
 * How well a key names the step: 0 not at all, else the larger the better: "step", "global_step",
 * "_step" (W&B), "iteration", "iter", "train_step", "epoch_step".
 */
int steps_key_rank(struct span key);

/* The step of an object, by its best key; false when it has none. */
bool steps_key_find(struct json_value row, double *step);

#endif
