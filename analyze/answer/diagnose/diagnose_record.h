/*
 * `diagnose` on a run that has no trace.  Private to analyze/answer/diagnose/.
 */
#ifndef ANALYZE_ANSWER_DIAGNOSE_DIAGNOSE_RECORD_H
#define ANALYZE_ANSWER_DIAGNOSE_DIAGNOSE_RECORD_H

#include "analyze/query/analysis.h"
#include "analyze/query/each.h"

enum { DIAGNOSE_RECORDED_COLUMNS = 6, DIAGNOSE_RECORDED_WORDS = 6 };
extern const struct column diagnose_recorded_columns[DIAGNOSE_RECORDED_COLUMNS];
extern const struct analysis_word diagnose_recorded_words[DIAGNOSE_RECORDED_WORDS];

/*
 * One table of findings from the run's record.  E_NODATA when nothing in it is what a rule looks
 * at.
 */
enum status diagnose_record(struct each *at, const struct table_doc *doc) MUST_CHECK;

#endif
