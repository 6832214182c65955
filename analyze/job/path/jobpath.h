/* The critical path of a job: over its ranks, by where each collective's last arrival was.
 *
 *	rank 0   [kernel)[====== waits ======:transfer)[kernel)|
 *	rank 1   [--------- kernel ---------)[transfer)[ker)   |
 *	path     [      of rank 1            ][     of rank 0   ]
 *
 * It begins with the rank that ends its last counted step last and goes backwards on that rank's
 * own path (rankpath.h).  Where that goes through a collective to which another rank came last, by
 * more than the clocks are uncertain (job.h), the time since that arrival is the collective's, and
 * from there on the path is the other rank's, behind its arrival.  It ends where its rank's first
 * counted step begins.
 *
 * Times are of the reference's clock.  A stretch is as long as that says; what the rank's own clock
 * counts more or less of it (drift, rounding) goes to the longest of the stretch's owners.  So all
 * sums are of the path, to the nanosecond: those of ranks and owners, of steps, and, where steps
 * touch, from the begin to the end.  What lies between steps is in no sum. */
#pragma once

#include "analyze/depgraph/critpath.h"
#include "analyze/job/job.h"
#include "base/base.h"

#define JOBPATH_NOBODY UINT32_MAX

struct rankpath;

/* Paths that go from one rank to another, backwards: `from` waited for `to`. */
struct jobpath_crossing {
	uint32_t from, to; /* places in job.rank */
	int64_t count;
	nsec behind; /* how much later `to` came, in all */
};

/* A counted step of the job: of the path what is in that step of the rank it is on. */
struct jobpath_step {
	nsec ns;
	nsec *rank; /* by rank; they add up to ns */
	int64_t crossings;
};

struct jobpath {
	const struct job *job;
	nsec ns;                    /* the path, in steps that all ranks counted */
	nsec begin, end;            /* in the reference's time */
	uint32_t first, last;       /* ranks it begins and ends with; NOBODY: there is no path */
	nsec (*ns_of)[OWNER_COUNT]; /* by rank; they add up to ns */
	nsec *rank;                 /* by rank: their sum */
	struct jobpath_step *step;  /* by job.step */
	struct jobpath_crossing *crossing; /* by from, to */
	size_t ncrossing;
	int64_t crossings;
	nsec unknown; /* of collectives on the path of which nobody can tell who came last */
	size_t nleft; /* ranks that it cannot be on: their clock or their path is not known */
};

/* path: by job.rank, numbered (rankpath_number); NULL: not known.  Memory is the arena's.
 * O(points). */
void jobpath_init(struct jobpath *p, const struct job *j, const struct rankpath *const *path,
	struct arena *mem);

/* The rank it is on longest, the first of equals; false: there is no path, or none is recorded on
 * it. */
bool jobpath_most(const struct jobpath *p, uint32_t *rank) MUST_CHECK;
