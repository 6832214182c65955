/* Texts that are none of a run's, by what their lines begin with: source, manifests, patches. */
#pragma once

#include "base/base.h"

/* What the text seems to be, "a patch"; NULL when no sign of that is there.  Constant. */
const char *alien_text(struct span head);
