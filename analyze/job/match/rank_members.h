/* Members of a job: whether a run has a trace of each of its ranks, and no others.
 *
 * How many ranks there should be is what most of its traces say (distributedInfo.world_size); where
 * none says it, numbers that are left out below the largest are missing. */
#pragma once

#include "analyze/job/sides.h"
#include "base/base.h"

/* Ranks lo to hi, both included. */
struct members_gap {
	int64_t lo, hi;
};

struct members {
	int64_t world;           /* as most traces say, the larger of equals; -1: none does */
	size_t nrank;            /* distinct ranks of the run's own traces */
	struct members_gap *gap; /* ranks without a trace, ascending */
	size_t ngap;
	int64_t nmissing;                 /* ranks in the gaps */
	const struct side_part **foreign; /* they say another world, or a rank outside of it */
	size_t nforeign;
	const struct side_part **unknown; /* beside others that have one, they have no rank */
	size_t nunknown;
	const struct side_part **doubled; /* further traces of ranks that are there */
	size_t ndoubled;
};

/* Of a run by itself, which knows no doubled ones.  Memory is the arena's; O(n log n). */
void members_of(struct members *m, const struct side_run *run, struct arena *mem);

/* Of the i-th run of a side.  doubled are the traces of its leftovers.  Memory is the arena's;
 * O(n log n) in the side's traces. */
void members_init(struct members *m, const struct side *s, size_t i, struct arena *mem);

/* Whether the i-th run of a side is what is left over of an earlier one: it has fewer traces than
 * that, each in the folder of that one's trace of the same rank.  Such a run is no repeat: files
 * were copied. */
bool members_is_leftover(const struct side *s, size_t i);

/* Puts what is left over of runs behind all runs, as no run: nover of them.  Figures of a side are
 * those of its runs; members_init tells the traces.  Memory is the arena's. */
void members_set_aside(struct side *s, struct arena *mem);

/* The i-th run of a side without what is no rank of its job; false: fewer than two are left, or it
 * is what is left over of another run, or collectives were not kept.  Memory is the arena's. */
bool members_job(struct side_run *own, const struct side *s, size_t i, struct arena *mem);

/* The run without foreign traces.  Memory is the arena's. */
void members_run(struct side_run *own, const struct members *m, const struct side_run *run,
	struct arena *mem);

/* Nothing is missing, foreign, doubled or unknown. */
bool members_are_whole(const struct members *m);

/* "no trace of 4 of 8 ranks: 2, 5 to 7" */
void members_put_none(struct str *b, const struct members *m);

/* "2, 5 to 7"; of more than eight gaps the first, "and 12 more". */
void members_put_missing(struct str *b, const struct members *m);
