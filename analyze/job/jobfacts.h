/*
 * What a job's verdict and its tables are made of, worked out once.
 */
#ifndef ANALYZE_JOB_JOBFACTS_H
#define ANALYZE_JOB_JOBFACTS_H

#include "analyze/job/job.h"
#include "analyze/job/waits/jobblame.h"
#include "analyze/job/jobexperts.h"
#include "analyze/job/jobflows.h"
#include "analyze/job/jobledger.h"
#include "analyze/job/jobstages.h"

struct job_facts {
	const struct job *job;
	struct job_ledgers ledgers;
	struct job_blame blame;
	struct job_flows flows;
	struct job_stages stages;
	struct job_experts experts;
};

/* Memory is the arena's. */
void job_facts_init(struct job_facts *f, const struct job *j, struct arena *mem);

#endif
