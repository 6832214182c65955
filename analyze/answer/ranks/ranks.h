/* `ranks`: what its parts share.  Private to analyze/answer/ranks/. */
#pragma once

#include "analyze/job/jobfacts.h"
#include "analyze/job/waits/jobwhy.h"
#include "analyze/job/match/rank_members.h"
#include "analyze/analysis/analysis.h"
#include "analyze/analysis/job_repairs.h"

#define TABLES_DEF "analyze/answer/ranks/ranks_tables.def"
#include "base/table_names_impl.h"

struct ranks_options {
	int64_t limit;
	const char *list;
};

/* One run with what is known of it. */
struct ranks_job {
	size_t run;          /* of the side */
	struct side_run own; /* without foreign traces */
	struct members members;
	struct job job;
	struct job_facts facts;
	struct job_why why;
};

struct ranks {
	const struct query *q;
	const struct ranks_options *o;
	struct result *out;
	struct ranks_job *jobs;     /* runs of several ranks */
	size_t njob, nlone;         /* nlone: runs of one */
	const struct ranks_job *at; /* whose tables are made */
	struct arena mem;
};

/* ranks_head.c: the table's rows for people where nothing was asked for. */
size_t ranks_limit(const struct ranks *r, size_t people);
/* The number of a rank, or behind them of one without a trace; absent where it is not known. */
struct row_cell ranks_number(const struct ranks *r, uint32_t rank);
/* "0 to 3, 8": ranks of the job. */
struct row_cell ranks_members(
	const struct ranks *r, const struct table *t, const uint32_t *rank, size_t n);
/* The group's name, else its description. */
struct row_cell ranks_group(const struct ranks *r, const struct table *t, uint32_t group);
/* The verdict, the runs, the job as a whole. */
void ranks_put_findings(struct ranks *r);
void ranks_put_runs(struct ranks *r);
void ranks_put_job(struct ranks *r);

/* ranks_ranks.c */
void ranks_put_ranks(struct ranks *r);

/* ranks_flows.c */
void ranks_put_groups(struct ranks *r);
void ranks_put_collectives(struct ranks *r);
void ranks_put_pairs(struct ranks *r);
void ranks_put_arrivals(struct ranks *r);

/* ranks_steps.c */
void ranks_put_steps(struct ranks *r);
void ranks_put_stages(struct ranks *r);
void ranks_put_experts(struct ranks *r);
