/*
 * The table of functions that a sampling profiler saw, for answers that show it.
 */
#ifndef ANALYZE_QUERY_SAMPLED_TABLE_H
#define ANALYZE_QUERY_SAMPLED_TABLE_H

#include <stddef.h>

#include "analyze/query/perrun.h"
#include "analyze/trace/sheet.h"

#define TABLES_DEF "analyze/query/sampled.def"
#include "base/table_names_impl.h"

extern const struct column columns_SAMPLED_BY_COUNT[], columns_SAMPLED_BY_TIME[];

/*
 * Adds the functions of the sheet's stacks of that unit that pass -f and -v, the largest own weight
 * first, at most `limit`; nothing when none has any.
 */
enum status sampled_put(
	struct perrun *at, const struct sheet *s, bool is_time, size_t limit) MUST_CHECK;

#endif
