/* The device work of one rank in its steps, as far as it is needed to time a job again when the
 * rank's events are gone: what takes how long, behind what.
 *
 * A piece of work waits for the one before it on its stream, for work of another stream by an event
 * or sync, for a collective by whose end it starts, and for what the calls before its launch waited
 * for on the host; the host's own time is none of it.  Work that is right behind other work and
 * that nothing else waits for is one piece with it.
 *
 *	stream 7    [k1)  [k2)[k3)       [k4)        k1 k2 k3 are one piece: how long they run, and
 *	stream 20              [== recv ==)           the time between them, apart */
#pragma once

#include "analyze/depgraph/depend.h"
#include "base/base.h"

#define RANKWORK_NONE UINT32_MAX

enum {
	RANKWORK_GUESS = 3,
	RANKWORK_DEPS
}; /* GUESS: a collective that nothing but times says it
      waits for; none of the others */

struct rankwork_piece {
	nsec start, end;             /* times are as the collectives' */
	nsec runs;                   /* how long it runs; the rest lies between its kernels */
	uint64_t what;               /* the same of all that do the same */
	uint32_t dep[RANKWORK_DEPS]; /* pieces before it; RANKWORK_NONE */
	uint32_t collective;         /* as in rankpath_point; RANKWORK_NONE */
};

/* A step that counts; in their order. */
struct rankwork_step {
	int64_t number;
	nsec start, end;
};

struct rankwork {
	struct rankwork_piece *v; /* by start */
	size_t n;
	struct rankwork_step *step; /* those that it is of; the maker's */
	size_t nstep;
};

/* Work that starts from `from` to before `to`, times of the run; base: what is added to them.
 * collective: by node, of those that are collectives.  Memory is the arena's.  O(nodes). */
void rankwork_init(struct rankwork *w, const struct depend *d, nsec from, nsec to, nsec base,
	const uint32_t *collective, struct arena *mem);
