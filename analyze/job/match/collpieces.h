/* What of a collective no computing of its device hides, in pieces.  Private to analyze/job/.
 *
 * Fed with one device after the other: first all that hides, then all collectives, both by start.
 * Time that several collectives share counts for the one that started first, so that their sum is
 * the device's exposed communication.
 *
 *	hides        [----)     [-----)        [--)
 *	collective  [-------)
 *	collective     [--------------------)
 *	pieces      =     ==++++      ++++++ */
#pragma once

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

/* Another device follows.  The pieces stay. */
void collpieces_begin(struct collpieces *p);

void collpieces_hide(struct collpieces *p, nsec start, nsec end);

/* Fills exposed, piece, npiece and grid of the next collective.  O(1) but for what is passed over.
 */
void collpieces_show(struct collpieces *p, struct collective *c, nsec start);

/* How much of the first `ns` of a collective is exposed; of a piece in proportion, rounded down. */
nsec collpieces_until(const struct collectives *v, const struct collective *c, nsec ns);

/* The grid that pieces of a collective begin and end on.  Private to analyze/job/.
 *
 * A unit is a power of two of ns, the smallest of which the collective has at most COLL_UNITS, or
 * one that is doubled some times more, until there are at most COLL_PIECES pieces.  So a boundary
 * is off by half a unit at most, to either side alike, and takes about a byte to keep.  What is
 * exposed of the whole collective stays exact: pieces share it by their units. */

enum { COLL_UNITS = 4096 };

/* The finest grid of a collective: a unit is 1 << that ns. */
unsigned collgrid_of(nsec dur);

/* How many units it has, the last of which its end may cut. */
nsec collgrid_units(nsec dur, unsigned grid);

/* The time of a unit. */
nsec collgrid_time(nsec unit, nsec dur, unsigned grid);

/* Shares out what is exposed of a collective to its pieces, which have at and span.  all: those of
 * all collectives; NULL where there are none. */
void collgrid_share(const struct collective *c, struct coll_piece *all);
