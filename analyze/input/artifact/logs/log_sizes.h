/* "mem 2.50GB allocated / 4.60GB reserved": of two sizes or more each has its own name, and what
 * stands in front of the first is that of all. */
#pragma once

#include "analyze/input/artifact/logs/log_pair.h"

/* Gives the pairs found in the text these names, and adds sizes that are none yet.  REAL_PADDING
 * bytes behind the text are readable. */
void log_sizes_find(struct log_pairs *to, struct span text);
