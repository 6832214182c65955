/* The time of day, for what ends on a day and for what is stored. */
#pragma once

#include "base/base.h"

/* Seconds since 1970: now, or SOURCE_DATE_EPOCH, which builds that must be repeatable set
 * (reproducible-builds.org). */
int64_t clock_now(void);

/* ms of a clock that nobody sets. */
int64_t clock_ms(void);
