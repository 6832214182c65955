/*
 * `top` on a run that has no trace.  Private to analyze/answer/top/.
 */
#ifndef ANALYZE_ANSWER_TOP_TOP_RECORD_H
#define ANALYZE_ANSWER_TOP_TOP_RECORD_H

#include "base/err.h"
#include "base/table.h"

struct filter_set;
struct top;

enum {
	RECORDED_SORTED,
	RECORDED_SELF_DEVICE,
	RECORDED_SELF_CPU,
	RECORDED_DEVICE,
	RECORDED_CPU,
	RECORDED_BYTES,
	RECORDED_CALLS,
	RECORDED_LIST,
	RECORDED_NAME,
	TOP_RECORDED_COLUMNS
};
extern const struct column top_recorded_columns[TOP_RECORDED_COLUMNS];

/*
 * The tables of one run from its record's operations.  E_NODATA when it has none, E_USAGE when a
 * match of names fails.
 */
enum status top_record(struct top *t, const struct filter_set *set) MUST_CHECK;

#endif
