/*
 * Facts of a job.
 */
#include "analyze/job/jobfacts.h"

void job_facts_init(struct job_facts *f, const struct job *j, struct arena *mem)
{
	*f = (struct job_facts){ .job = j };
	job_ledgers_init(&f->ledgers, j, mem);
	job_blame_init(&f->blame, j, mem);
	job_flows_init(&f->flows, j, mem);
	job_stages_init(&f->stages, j, &f->flows, mem);
	job_experts_init(&f->experts, j, mem);
}
