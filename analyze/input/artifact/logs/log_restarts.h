/* Workers that were started again, by their processes: "Worker pid=200" goes on where the run's
 * own, "Worker pid=100", wrote no more. */
#pragma once

#include "analyze/input/artifact/logs/log_figures.h"

/* Series of a process that goes on from another of its name, at a step that this one had or the
 * next of it, become that one's.  Behind the last line; all staged values are in their series. */
void log_restarts_join(struct log_figures *g);
