/* Names behind their numbers: "1 93.44 s run, 11.89 loss", "1: 2.40, 8.08 avg loss". */
#pragma once

#include "analyze/input/artifact/logs/log_pair.h"

/* The step that begins the line and what follows; nothing where there is anything else in it.
 * REAL_PADDING bytes behind the text are readable. */
void log_behind_find(struct log_pairs *to, struct span text);
