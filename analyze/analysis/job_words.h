/* What is found about jobs, as words that `explain` knows: one for each state, and one more. */
#ifndef ANALYZE_ANALYSIS_JOB_WORDS_H
#define ANALYZE_ANALYSIS_JOB_WORDS_H

#include "analyze/job/waits/jobwhy.h"
#include "analyze/analysis/analysis.h"

enum { JOB_WORD_MISSING = JOB_STATE_COUNT, JOB_WORD_COUNT };

/* The i-th, by enum job_state; NULL behind the last. */
const struct analysis_word *job_word(size_t i);

#endif
