/* The table of functions that a sampling profiler saw, for answers that show it. */
#pragma once

#include "analyze/analysis/perrun.h"
#include "analyze/trace/columns/sheet.h"

enum sampled_column {
	SAMPLED_SELF,
	SAMPLED_SELF_SHARE,
	SAMPLED_TOTAL,
	SAMPLED_TOTAL_SHARE,
	SAMPLED_NAME,
	SAMPLED_COLUMNS
};

/* Its columns in each unit. */
extern const struct column sampled_columns[STACK_UNITS][SAMPLED_COLUMNS];

/* Adds the functions of the sheet's stacks of that unit that pass -f and -v, the largest own weight
 * first, at most `limit`; nothing when none has any. */
enum status sampled_put(
	struct perrun *at, const struct sheet *s, enum stack_unit unit, size_t limit) MUST_CHECK;
