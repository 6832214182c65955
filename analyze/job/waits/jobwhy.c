/*
 * What is wrong with a job: its words, and whom it is about.
 */
#include "analyze/job/waits/jobwhy.h"

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

bool job_why_is_slow(const struct job_why *w, uint32_t rank)
{
	size_t i;

	for (; w; w = w->next) {
		if (w->rank == rank)
			return true;
		for (i = 0; i < w->nalso; i++)
			if (w->also[i] == rank)
				return true;
	}
	return false;
}

const struct job_why *job_why_straggler(const struct job_why *w)
{
	const struct job_why *at = w;

	while (at && at->state != JOB_STRAGGLER)
		at = at->next;
	return at ? at : w;
}
