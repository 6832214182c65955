/*
 * The grid of pieces.
 */
#include "analyze/job/match/collgrid.h"

nsec collgrid_units(nsec dur, unsigned grid)
{
	return dur == 0 ? 0 : ((dur - 1) >> grid) + 1;
}

unsigned collgrid_of(nsec dur)
{
	unsigned grid = 0;

	while (collgrid_units(dur, grid) > COLL_UNITS) /* lint: allow loops: each halves them */
		grid++;
	return grid;
}

nsec collgrid_unit(nsec at, unsigned grid)
{
	return grid == 0 ? at : (at >> grid) + (at >> (grid - 1) & 1);
}

nsec collgrid_time(nsec unit, nsec dur, unsigned grid)
{
	return unit > dur >> grid ? dur : unit << grid;
}

/* An end that the collective's own end cuts is a whole unit. */
static nsec units_of(const struct coll_piece *p, unsigned grid)
{
	return collgrid_units(p->at + p->span, grid) - (p->at >> grid);
}

void collgrid_share(const struct collective *c, struct coll_piece *all)
{
	nsec sum = 0, units = 0, given = 0;
	uint32_t i;

	for (i = 0; i < c->npiece; i++)
		sum += units_of(&all[c->piece + i], c->grid);
	for (i = 0; i < c->npiece; i++) {
		struct coll_piece *piece = &all[c->piece + i];
		nsec until;

		units += units_of(piece, c->grid);
		until = c->exposed / sum * units + c->exposed % sum * units / sum;
		piece->ns = until - given;
		given = until;
	}
}
