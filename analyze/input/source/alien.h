/* Texts that are none of a run's, by what their lines begin with: source, manifests, patches. */
#pragma once

#include "base/base.h"

#define ALIEN_SOURCE "source code"

/* What the text seems to be, "a patch"; NULL when no sign of that is there.  Constant.  *is_before:
 * what a log may quote, or print before it begins. */
const char *alien_text(struct span head, bool *is_before);
