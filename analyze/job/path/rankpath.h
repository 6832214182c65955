/* The critical path of one rank, as far as it is needed when its events are gone: from each of its
 * collectives, and from the end of each step that counts, back to the collective before it.
 *
 *	point      a collective's start, a step's end, where paths part, or a step's begin or end
 *	stretch    from a point back to the one before it on the path: how long by owner
 *
 *	stream 20      [== 0 ==)              [== 1 ==)
 *	stream 7                [kernel)[kernel)       [kernel)
 *	thread                                                 (mark: end of the step)
 *	points         0                      1               2
 *
 * All of a stretch is in one step, or in none.  What is before the first step is not kept.  The
 * device's work itself is kept for timing it again (job_bounds.h). */
#pragma once

#include "analyze/depgraph/critpath.h"
#include "analyze/depgraph/depend.h"
#include "analyze/job/path/rankwork.h"
#include "analyze/job/match/collectives.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

#define RANKPATH_NONE UINT32_MAX

/* Time of an owner in a stretch, > 0. */
struct rankpath_part {
	nsec ns;
	uint32_t owner; /* enum owner; COMM is of the collective at the stretch's begin, alone */
};

struct rankpath_point {
	nsec at;             /* all times are as the collectives' */
	uint32_t before;     /* or RANKPATH_NONE: that is all */
	uint32_t collective; /* that starts there; RANKPATH_NONE */
	uint32_t step;       /* the stretch's place in rankpath.step; RANKPATH_NONE */
	uint32_t npart;
	size_t part; /* the stretch's first in rankpath.part */
};

struct rankpath {
	struct rankwork_step *step;
	size_t nstep;
	struct rankpath_point *point;
	size_t npoint;
	struct rankpath_part *part;
	size_t npart;
	uint32_t *start; /* by collective: its point */
	uint32_t *end;   /* by step: its point; RANKPATH_NONE: there is no path */
	size_t ncollective;
	struct rankwork work; /* from the first step to the end of the last */
	uint32_t *row;        /* by collective: its event; until rankpath_number */
	struct arena mem;
};

/* The path of a run through these steps, in times of its own; its collectives are numbered as they
 * come.  O(nodes).  Freed by rankpath_free. */
struct rankpath *rankpath_new(struct depend *d, const struct rankwork_step *step, size_t nstep);
void rankpath_free(struct rankpath *p);

/* Collectives become those of the digest that was made of the same run: numbers that only one side
 * has are RANKPATH_NONE. */
void rankpath_number(struct rankpath *p, const struct collectives *c);
