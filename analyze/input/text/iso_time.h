/* Dates to seconds. */
#pragma once

#include "base/base.h"

/* "2025-11-30T12:00:00[.123456][Z|+01:00]", "2025-11-30 12:00:00.123", "2025/11/30 12:00:00.123",
 * "20251130 12:00:00" to seconds since 1970.  Without zone the time is taken as it is written.
 * False for anything else. */
bool iso_time(struct span text, double *seconds);
