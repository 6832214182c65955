/* What is found about jobs, as words that `explain` knows: one for each state, and one more. */
#pragma once

#include "analyze/analysis/analysis.h"
#include "analyze/job/waits/jobwhy.h"

/* What is odd about a run that should be one job: ranks that are missing, foreign, doubled. */

/* One warning for each: "traces of 6 of 8 ranks: 2, 5 are missing". */
void job_notes_members(struct result *r, const struct members *m);

/* What is odd about the traces of its ranks: that one ends before the others, or a clock is set. */
void job_notes_ranks(struct result *r, const struct job *j);

enum { JOB_WORD_MISSING = JOB_STATE_COUNT, JOB_WORD_COUNT };

/* The i-th, by enum job_state; NULL behind the last. */
const struct analysis_word *job_word(size_t i);
