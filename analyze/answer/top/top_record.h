/*
 * `top` on a run that has no trace.  Private to analyze/answer/top/.
 */
#ifndef ANALYZE_ANSWER_TOP_TOP_RECORD_H
#define ANALYZE_ANSWER_TOP_TOP_RECORD_H

#include "base/err.h"
#include "base/table.h"

struct top;

/*
 * The tables of one run from its record's operations.  E_NODATA when it has none, E_USAGE when a
 * match of names fails.
 */
enum status top_record(struct top *t) MUST_CHECK;

#endif
