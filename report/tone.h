/*
 * Words of a verdict in their colour.
 */
#ifndef REPORT_TONE_H
#define REPORT_TONE_H

#include "base/str.h"

/*
 * The SGR sequence for a text that is nothing but a verdict or a severity: red for what failed,
 * yellow for a warning, green for what is well; NULL for all else.  The word says the same.
 */
const char *tone_of(struct span text);

#endif
