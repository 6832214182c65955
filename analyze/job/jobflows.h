/* Flows: the meets of a job that move the same bytes the same way, and how fast.
 *
 * A flow is the meets of one group (of sends and receives: of one pair of ranks) with one op, size
 * and type.  Its transfers are held against those of its peers: flows of other groups of the same
 * size with the same op, bytes and type.  A flow is slow when its median transfer is 1.2 times the
 * peers' at least and three quarters of its own are above three quarters of theirs; but not where
 * half of its meets end together with those of a peer that began later: then it waited for that. */
#pragma once

#include "analyze/job/job.h"

struct job_flow_key {
	uint32_t group; /* in job.group */
	uint32_t a, b;  /* of sends and receives: who sends, who receives, as job_pair.causes; else
	                   UINT32_MAX */
	enum comm_op op;
	int64_t bytes; /* ARG_UNKNOWN */
	struct span dtype;
};

struct job_flow {
	struct job_flow_key key;
	uint32_t n;    /* ranks that meet, at most */
	int64_t size;  /* the same with those that have no trace */
	bool lacks;    /* some have none: what seems its transfer may be a wait for them */
	size_t count;  /* meets */
	size_t nsized; /* of those, with a size */
	double bytes;  /* of these, sum */
	nsec sized;    /* their transfers */
	size_t nwhole; /* of those, with all members of the group that there are traces of */
	nsec skew, skew_max, end_skew; /* sums of the longest waits; their largest; sum of end_skew
	                                */
	size_t nclocked;               /* meets with an end_skew */
	nsec waits;                    /* of all ranks, hidden ones too */
	nsec exposed;                  /* of those, what nothing hides */
	nsec transfer, transfer_min;   /* sum, least */
	double low, median, high;      /* quartiles of the transfers */
	double peers, peers_high; /* median of the peers' medians, of their upper quartiles; NaN */
	size_t npeer;
	bool is_slow;
	nsec excess; /* of slow ones: what their transfers take more than the peers' median, sum */
};

struct job_flows {
	struct job_flow *v; /* by group, op, bytes, type, pair */
	size_t n;
};

/* Memory is the arena's.  O(meets log meets). */
void job_flows_init(struct job_flows *f, const struct job *j, struct arena *mem);

/* Whether the op is a message from one rank to another. */
bool job_is_pair(enum comm_op op);

/* What makes the flow of a meet; of two ranks with a sender and a receiver these are told. */
struct job_flow_key job_flow_key(const struct job *j, const struct collective_instance *m);
