/*
 * The place where the quantiles of integers were; they are in analyze/stat/.
 */
#ifndef ANALYZE_STATS_H
#define ANALYZE_STATS_H

#include "analyze/stat/stats.h" /* IWYU pragma: export */

#endif
