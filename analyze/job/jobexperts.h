/* Experts: how many tokens all_to_all of uneven parts move between ranks: rows, by split sizes.
 *
 * Tokens go to the ranks of their experts (dispatch) and come back (combine).  A rank's load in a
 * meet is what it receives, or what it sends where the largest sender has more than the largest
 * receiver, as on the way back; so the load is that of its experts either way. */
#pragma once

#include "analyze/job/job.h"

/* Tokens that ranks send to the experts of a rank, both ways. */
struct job_expert_pair {
	uint32_t group;   /* in job.group */
	int64_t from, to; /* ranks; -1: not known, nor a place in the group */
	int64_t tokens;
};

struct job_experts {
	size_t nmeet;  /* that have parts; 0: nothing else is known */
	int64_t *load; /* by rank, over all meets */
	int64_t *sent, *received;
	int64_t *by_step;             /* load: the job's steps x ranks, step first */
	struct job_expert_pair *pair; /* by group, from, to; tokens > 0 */
	size_t npair;
	double imbalance; /* largest load over the mean one, of the meets: sum over sum; NaN */
	double *ratio;    /* by rank: its load over the mean one of its meets' ranks; NaN */
	uint32_t hot;     /* the rank with the largest ratio */
};

/* Memory is the arena's.  O(meets x ranks of their groups). */
void job_experts_init(struct job_experts *x, const struct job *j, struct arena *mem);
