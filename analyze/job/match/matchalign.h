/* Alignment: which element of one sequence is which of another, where some are missing on either
 * side.  Private to analyze/job/match/match*.c.
 *
 *	a   r r g r r r g r r r
 *	b   r r g r r g r r r r r
 *
 * The fewest possible are left alone (Myers 1986, An O(ND) Difference Algorithm), looked for within
 * a bound: where sequences differ by more than that, what reaches furthest is taken and the search
 * begins anew from there, with half the bound, down to ALIGN_LEAST. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "base/base.h"

enum { ALIGN_BOUND = 256, ALIGN_LEAST = 16 };
#define ALIGN_ALONE UINT32_MAX

/* A collective as it is compared. */
struct align_item {
	uint32_t symbol; /* what it is; the same number: the same */
	bool has_step;
	int64_t step; /* its step's number */
	int64_t seq;  /* ARG_UNKNOWN; where both have one, it decides */
	nsec start, end;
	bool is_together; /* its ranks end together: those that do not meet in time are not the same
	                   */
	bool is_timed;    /* start and end are on the clock that all timed ones have */
	nsec tolerance;   /* what ends may be apart; of timed ones */
};

/* Whether two may be the same by what they are, whenever they are. */
bool align_same(const struct align_item *a, const struct align_item *b);

/* to[i]: the place in b of a[i], or ALIGN_ALONE; ascending.  O(na + nb) where few are
 * missing, O((na + nb) ALIGN_LEAST) at worst; O(ALIGN_BOUND^2) memory. */
void align(const struct align_item *a, size_t na, const struct align_item *b, size_t nb,
	uint32_t *to, struct arena *mem);
