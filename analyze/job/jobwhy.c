/*
 * What is wrong with a job: its words.
 */
#include "analyze/job/jobwhy.h"

const char *job_state_word(enum job_state s)
{
#define X(name, word, doc) word,
	static const char *const words[] = { JOB_STATES(X) };
#undef X

	return words[s];
}

const char *job_cause_word(enum job_cause c)
{
#define X(name, word, doc) word,
	static const char *const words[] = { JOB_CAUSES(X) };
#undef X

	return words[c];
}
