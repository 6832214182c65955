/* What a job's verdict and its tables are made of, worked out once. */
#pragma once

#include "analyze/job/job.h"
#include "analyze/job/jobexperts.h"
#include "analyze/job/jobflows.h"
#include "analyze/job/jobstages.h"

/* Ledgers of a job's ranks over the steps that all of them counted: where each one's device spends
 * its step besides waiting for the others. */

struct job_ledger {
	double wall;               /* mean step; NaN without steps in common */
	double median;             /* step */
	double part[PART_COUNT];   /* means of a step, of the mean device */
	double suffered, transfer; /* means of a step */
	double caused;             /* the same of job_facts_caused */
	double loading; /* mean of a step: its thread is in the data loader, whatever the device
	                   does */
};

struct job_ledgers {
	struct job_ledger *v; /* by rank of the job */
	size_t n;
	struct job_ledger middle; /* medians over the ranks, of each figure by itself */
	double step;              /* the job's: median over its steps of the longest rank's; NaN */
	double mean;              /* the mean of them */
	bool has_steps;           /* marked ones; else the whole traces are the one step */
	const struct digest_step **at; /* the job's steps x ranks, step first */
	const struct job *job;
};

/* Step i of the rank at that place of the job. */
const struct digest_step *job_ledgers_step(const struct job_ledgers *l, size_t i, size_t rank);

/* Without a device its host computes: what is neither waits, transfers nor the data loader. */
void job_ledger_of_host(struct job_ledger *l);

struct job_facts {
	const struct job *job;
	struct job_ledgers ledgers;
	struct job_flows flows;
	struct job_stages stages;
	struct job_experts experts;
};

/* What goes back to a rank in a step, or to one of the absent behind them: all that others wait for
 * it but what stages wait for each other (jobstages.h). */
nsec job_facts_caused(const struct job_facts *f, size_t step, size_t rank);

/* Memory is the arena's. */
void job_facts_init(struct job_facts *f, const struct job *j, struct arena *mem);
