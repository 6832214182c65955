/*
 * What of a collective no computing of its device hides, in pieces.  Private to analyze/job/.
 *
 * Fed with one device after the other: first all that hides, then all collectives, both by start.
 * Time that several collectives share counts for the one that started first, so that their sum is
 * the device's exposed communication.
 *
 *	hides        [----)     [-----)        [--)
 *	collective  [-------)
 *	collective     [--------------------)
 *	pieces      =     ==++++      ++++++
 */
#ifndef ANALYZE_JOB_MATCH_COLLPIECES_H
#define ANALYZE_JOB_MATCH_COLLPIECES_H

#include "analyze/job/match/collectives.h"

struct collpieces {
	struct collpieces_hidden {
		nsec start, end;
	} * hidden; /* apart, ascending */
	size_t nhidden, hidden_cap;
	size_t at;                /* the first of them that may matter */
	nsec shown;               /* earlier collectives reach up to here */
	struct coll_piece *exact; /* of the collective that is shown */
	size_t nexact, exact_cap;
	struct coll_piece *piece;
	size_t n, cap;
};

void collpieces_clear(struct collpieces *p);

/* Another device follows; the pieces stay. */
void collpieces_begin(struct collpieces *p);

void collpieces_hide(struct collpieces *p, nsec start, nsec end);

/* Fills exposed, piece, npiece and grid of the next collective.  O(1) but for what is passed over.
 */
void collpieces_show(struct collpieces *p, struct collective *c, nsec start);

/* How much of the first `ns` of a collective is exposed; of a piece in proportion, rounded down. */
nsec collpieces_until(const struct collectives *v, const struct collective *c, nsec ns);

#endif
