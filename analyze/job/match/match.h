/* Matching: which collective of one rank is which of the others.
 *
 *	group    ranks of one process group: by its ranks, and by name where a rank has several of
 *	         the same ranks; else by name and size; kernels without arguments are of the group
 *	         of their stream (the n-th that communicates)
 *	unit     what is matched by itself: the collectives of a group; the sends of one rank to
 *	         another with what that one receives
 *	column   a collective of a unit, and who was seen in it
 *
 * The collectives of a rank in a unit are aligned with the columns of the ranks before it; what
 * fits none becomes a column of its own, so that nobody's gaps are everybody's.
 *
 * Ranks that may be of several groups, since the trace does not name theirs or more have its name
 * than are in it, are matched only with those whose collectives end when theirs do.  The others are
 * matched among themselves, in ROUNDS rounds at most. */
#pragma once

#include "analyze/job/job.h"
#include "base/base.h"

/* Collectives of a rank in a unit, ascending. */
struct match_list {
	uint32_t rank; /* place in job.rank */
	uint32_t *v;   /* places in its collectives */
	size_t n;
	uint32_t round; /* it was matched in; 0: not yet */
	bool is_proven; /* far more of its ends fall together with the others' than by chance */
};

struct match_unit {
	uint32_t group;  /* in job.group */
	uint32_t absent; /* 1 + place in job.absent; 0: all have traces, or nobody knows */
	bool is_pair;    /* sends of one rank and what another receives: two lists at most */
	struct match_list *list; /* by rank */
	size_t nlist;
};

struct match_units {
	struct match_unit *v;
	size_t n;
};

/* matchunits.c: the groups of a job, in mem, and its units, in scratch.  Needs job.rank. */
void match_units_init(
	struct match_units *u, struct job *j, struct arena *mem, struct arena *scratch);

/* Fills group, meet (by unit, then column; without times), ncollective and nmatched of j.  Memory
 * is mem's. */
void match(struct job *j, struct arena *mem);
