/* Source in a log, as trainers quote their own in front of what they print: lines from one of a
 * program's on, which is not indented as those of warnings and tracebacks are, until a line that
 * none has: figures at a step, a dict of them, a rule, a bar, "loss: 0.5".  Its numbers are no
 * figures. */
#pragma once

#include "base/base.h"

/* The line, without a prefix, is source; *is_open: those before were.  REAL_PADDING bytes behind it
 * are readable. */
bool log_source_line(bool *is_open, struct span line);
