/* What is odd about a run that should be one job: ranks that are missing, foreign, doubled. */
#ifndef ANALYZE_ANALYSIS_JOB_NOTES_H
#define ANALYZE_ANALYSIS_JOB_NOTES_H

#include "analyze/job/match/rank_members.h"
#include "base/table.h"

/* One warning for each: "traces of 6 of 8 ranks: 2, 5 are missing".  input: -1 of a side. */
void job_notes_members(struct result *r, const struct members *m, int input);

#endif
