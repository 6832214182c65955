/*
 * The grid that pieces of a collective begin and end on.  Private to analyze/job/.
 *
 * A unit is a power of two of ns, the smallest of which the collective has at most COLL_UNITS, or
 * one that is doubled some times more, until there are at most COLL_PIECES pieces.  So a boundary
 * is off by half a unit at most, to either side alike, and takes about a byte to keep.  What is
 * exposed of the whole collective stays exact: pieces share it by their units.
 */
#ifndef ANALYZE_JOB_MATCH_COLLGRID_H
#define ANALYZE_JOB_MATCH_COLLGRID_H

#include <stdint.h>

#include "analyze/job/match/collectives.h"

enum { COLL_UNITS = 4096 };

/* The finest grid of a collective: a unit is 1 << that ns. */
unsigned collgrid_of(nsec dur);

/* How many units it has, the last of which its end may cut. */
nsec collgrid_units(nsec dur, unsigned grid);

/* The unit nearest a time that is not behind its end, and the time of a unit. */
nsec collgrid_unit(nsec at, unsigned grid);
nsec collgrid_time(nsec unit, nsec dur, unsigned grid);

/*
 * Shares out what is exposed of a collective to its pieces, which have at and span.  all: those of
 * all collectives; NULL where there are none.
 */
void collgrid_share(const struct collective *c, struct coll_piece *all);

#endif
