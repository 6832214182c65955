/* Stages of a pipeline: ranks that hand work on to each other by sends and receives.
 *
 * Forward is the way of the first message between two ranks in most steps.  A rank's stage is the
 * length of the longest chain of forward messages to it.  Where messages go round in a ring and
 * never back (context parallelism) there are no stages.  A rank's bubble is what of its step it
 * waits, while its device computes nothing, in sends and receives and in collectives for a rank of
 * another stage.  Where stages have several ranks each, such waits are nobody's doing. */
#pragma once

#include "analyze/job/jobflows.h"

#define JOB_NO_STAGE UINT32_MAX

struct job_stages {
	uint32_t *of;   /* by rank, behind them by absent; JOB_NO_STAGE: it is in no pipeline */
	double *bubble; /* by rank: ns of a step; by absent: what others wait so for them */
	nsec *between;  /* the job's steps x ranks and absent, step first: what stages wait for each
	                   other, by whom it goes back to; NULL where each rank is a stage */
	uint32_t n;     /* stages; 0: there is no pipeline */
	double micro;   /* forward messages from a rank to the next in a step, the median pair's: as
	                   many micro-batches there are at most; NaN */
};

/* Memory is the arena's.  O(meets log pairs + pairs x stages). */
void job_stages_init(struct job_stages *s, const struct job *j, const struct job_flows *flows,
	struct arena *mem);

/* The least share of a step that n stages with so many micro-batches idle: (n-1)/(m+n-1). */
double job_stages_least(uint32_t n, double micro);
