/* The device work of a job as a graph that can be timed again: the pieces of all ranks
 * (rankwork.h), each behind what it waits for, and the collectives in which pieces of several ranks
 * end together. Private to analyze/job/path/job_*.c. */
#pragma once

#include "analyze/job/jobfacts.h"
#include "analyze/job/path/rankwork.h"

#define TIMING_NONE RANKWORK_NONE

/* By scenario. */
enum { TIMING_SCENARIOS = 6 };
struct timing_times {
	double at[TIMING_SCENARIOS];
};

/* A piece of a rank. */
struct timing_piece {
	uint32_t rank, meet; /* meet: 1 + its place in job.meet where all of it wait; else 0 */
	uint32_t dep[RANKWORK_DEPS];
	uint32_t collective; /* 1 + its number in the rank's digest; 0: it is none */
	uint32_t joint;      /* 1 + where all of it wait if gaps are dropped; else 0 */
	uint32_t next;       /* of the same meet; TIMING_NONE */
	uint32_t waits;      /* pieces it waits for */
	nsec gap;            /* from the end of the last of those to its start, as it was */
	nsec inner;          /* between its kernels */
	double runs;
	uint64_t what;
	double mean; /* what the same work of all ranks and steps runs */
	double part; /* what its rank does before the next collective is this many times as long on
	                the ranks that it is held against; NaN: none can be */
};

/* A collective. */
struct timing_joint {
	uint32_t first, n;      /* pieces: the first, how many */
	double transfer, usual; /* usual: the mean of those that are the same */
};

struct timing {
	const struct job_facts *f;
	const struct job *j;
	const struct rankwork *const *work; /* by rank */
	struct timing_piece *v;             /* by rank, then start */
	size_t n;
	uint32_t **ordinal;         /* by rank and collective: of those of its op in the step */
	struct timing_joint *joint; /* by meet, then of what was not matched */
	size_t njoint;
	uint32_t *succ; /* pieces that wait for others, by whom they wait for */
	uint32_t *from; /* by piece: its first in succ; one more at the end */
	size_t nstep;   /* of the job, from the first on, that all ranks have work of */
	nsec now;       /* what they take, each as long as its slowest rank's */
	nsec zero;      /* when the first rank's first step begins */
	struct arena *mem;
};

/* work: by job.rank, collectives numbered as in its digest; NULL: not known.  Memory is the
 * arena's.  false: ranks lack a common clock, or a path. O(pieces log pieces). */
bool timing_init(struct timing *t, const struct job_facts *f, const struct rankwork *const *work,
	unsigned threads, struct arena *mem) MUST_CHECK;

/* What is timed at once. */
struct timing_scenarios {
	bool dropped; /* what was not matched waits for its group all the same, and no
	                 work for what is only guessed */
	bool evens[TIMING_SCENARIOS]; /* collectives take what they usually do */
	/* By scenario: after what a piece waits for it begins so much later, and takes so long. */
	void (*look)(void *ctx, const struct timing_piece *p, double *lag, double *takes);
	void *ctx;
};

/* By scenario: how long all takes.  false: ranks wait for each other in a circle, so that the order
 * is not the true one.  O(pieces).  Any thread may do this. */
bool timing_take(const struct timing *t, const struct timing_scenarios *s, nsec *ns) MUST_CHECK;

/* The collective of a piece.  It has one. */
const struct collective *timing_collective(const struct timing *t, const struct timing_piece *p);
uint32_t timing_ordinal(const struct timing *t, const struct timing_piece *p);

/* By rank and collective: how many of its op, or of its lane, the rank had in the step before. */
uint32_t **timing_number(const struct timing *t, bool by_lane, struct arena *mem);

/* Where the piece of a rank is in the job's steps; COLL_NO_STEP: its collective is in none. */
uint32_t timing_step(const struct timing *t, const struct timing_piece *p);

/* job_usual.c: the mean of the same work and transfers, of all ranks and steps; another thread may
 * find parts meanwhile. */
void timing_find_usual(struct timing *t);

/* job_usual.c: `part` of the pieces of these ranks, held against the other ranks of their stage;
 * the share of their time that could be. */
double timing_find_parts(struct timing *t, const bool *changed);
