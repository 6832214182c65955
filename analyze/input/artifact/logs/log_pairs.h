/* Names and numbers of a line: "loss=0.5, lr: 1e-4", "step 10", "memory: 5.28GiB(66.1%)".
 *
 * A name stands in front of '=' (its last word) or ':' (all of it, back to a comma, a bar, two
 * blanks, " - " or the number before); a blank binds a number to what counts ("Step 10", "Epoch
 * 3"), and, in a line that says where it is, to any name of a few words.  Counters may stand in
 * brackets and have no name: "Epoch [1/5]", "[0][10/100]", "[1, 2000]", "10/100".  Numbers of a
 * list are figures of one name, numbered from 1.  A rate may be its own name: "50ms/step". */
#pragma once

#include "analyze/input/artifact/logs/log_pair.h"

/* REAL_PADDING bytes behind the text are readable. */
void log_pairs_find(struct log_pairs *to, struct span text);
