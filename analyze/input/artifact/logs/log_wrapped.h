/* Lines of a log that something keeps as JSON: Docker, Cloud Logging, journald, Loki, and loggers
 * that write JSON themselves. */
#pragma once

#include "base/base.h"

/* The text that an object with a message keeps, "{"log": "step 1 loss 2.5\n", ...}", with
 * "[rank1]: " in front where the object says its rank, and returns between its lines: a copy in *b
 * with REAL_PADDING readable bytes behind it; the line itself where it is none, or a row of
 * figures. */
struct span log_unwrapped(struct span line, struct str *b);
