/* Plain text that a run printed: what is of use in it. */
#pragma once

#include "analyze/input/artifact/artifact_reading.h"
#include "base/base.h"

/* Reads tables of operations; lines of known programs (log_forms.h); dicts of metrics, as Python
 * prints them, and JSON objects; lines "Peak memory: 1.23 GB" and pairs "loss=0.5"; options of the
 * command line as configuration.  What loggers write in front is taken off.  E_NODATA when there
 * is none of it. */
enum status text_log_read(struct reading *in, struct err *e) MUST_CHECK;

/* How much of a log a line has: 0 nothing, 1 a figure that runs have, 3 the same behind what a
 * logger writes in front, 5 a figure at a step, 10 something only such logs have. */
int log_weight(struct span line);
