/* The time of day, for what ends on a day and for what is stored. */
#ifndef CMD_CLOCK_H
#define CMD_CLOCK_H

#include <stdint.h>

/*
 * Seconds since 1970: now, or SOURCE_DATE_EPOCH, which builds that must be repeatable set
 * (reproducible-builds.org).
 */
int64_t clock_now(void);

#endif
