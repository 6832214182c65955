/* Jobs drawn by hand: ranks, their collectives, and what is made of them. */
#pragma once

#include "analyze/job/job.h"

struct drawn_rank {
	struct digest digest;
	struct collectives collectives;
	size_t cap, kind_cap, piece_cap, step_cap;
};

struct drawn_job {
	struct arena mem;
	struct drawn_rank *rank; /* of `cap` at most */
	size_t n, cap;
	struct job job;
	bool is_made;
};

/* A job of at most `cap` ranks. */
void drawn_begin(struct drawn_job *d, size_t cap);
void drawn_end(struct drawn_job *d);

/* A rank of that number without collectives, and its place among the drawn ones. */
size_t drawn_rank(struct drawn_job *d, int64_t rank);

/* A further counted step; steps are marked. */
void drawn_step(struct drawn_job *d, size_t rank, int64_t number);

/* What kinds are unless they say more: a float all_reduce of 1024 bytes in group "0". */
struct coll_kind drawn_kind(void);

/* A collective in the last step of the rank; all of it is exposed.  To be changed at will. */
struct collective *drawn_at(
	struct drawn_job *d, size_t rank, const struct coll_kind *k, nsec start, nsec dur);

/* What of it is exposed: one piece more. */
void drawn_expose(struct drawn_job *d, size_t rank, nsec at, nsec span, nsec ns);

/* Makes the job of the ranks drawn so far, again if need be. */
const struct job *drawn_make(struct drawn_job *d);
