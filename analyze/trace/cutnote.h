/* What a cut trace says of the whole that it was cut from: a member of its document.
 *
 * Events around what was asked for stay in a cut, so that nothing that crosses its edges is torn.
 * The note says which steps were meant and what was known of them, so that an analysis of the cut
 * finds the figures that `--steps` finds in the whole; other tools pass over it. */
#pragma once

#include "analyze/trace/columns/events.h"

struct steps;

/* The member's key. */
#define CUTNOTE_KEY "traceq_cut"

/* A stretch of time [start, end). */
struct cut_time {
	nsec start, end;
};

/* Owned by the run's arena. */
struct cutnote {
	nsec first, last;      /* of the whole run */
	struct steps *steps;   /* those that were asked for, without rows; NULL: none were */
	struct cut_time *time; /* what is whole in it, by start, disjoint */
	size_t ntime;
};
