/* Pieces of collectives that nothing hides. */
#include "analyze/job/match/collpieces.h"

#include "base/base.h"

/* ---- the grid of pieces ---- */

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

/* The unit nearest a time that is not behind its end. */
static nsec collgrid_unit(nsec at, unsigned grid)
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
	nsec units = 0, given = 0;
	nsec sum = SUM(nsec, i, c->npiece, units_of(&all[c->piece + i], c->grid));

	for (uint32_t i = 0; i < c->npiece; i++) {
		struct coll_piece *piece = &all[c->piece + i];

		units += units_of(piece, c->grid);
		nsec until = c->exposed / sum * units + c->exposed % sum * units / sum;
		piece->ns = until - given;
		given = until;
	}
}

/* ---- pieces ---- */

void collpieces_clear(struct collpieces *p)
{
	FREE_ALL(p->hidden, p->piece, p->exact);
	*p = (struct collpieces){ 0 };
}

void collpieces_begin(struct collpieces *p)
{
	p->nhidden = p->at = 0;
	p->shown = INT64_MIN;
}

void collpieces_hide(struct collpieces *p, nsec start, nsec end)
{
	struct collpieces_hidden *last = p->nhidden ? &p->hidden[p->nhidden - 1] : NULL;

	if (end <= start)
		return;
	if (last && start <= last->end) {
		last->end = MAX(end, last->end);
		return;
	}
	PUSH(p->hidden, p->nhidden, p->hidden_cap, (struct collpieces_hidden){ start, end });
}

static void add_exact(struct collpieces *p, struct collective *c, nsec at, nsec ns)
{
	if (ns <= 0)
		return;
	PUSH(p->exact, p->nexact, p->exact_cap, (struct coll_piece){ at, ns, ns });
	saturate_onto(&c->exposed, ns);
}

/* Appends a stretch of units, which what is in front of it may reach. */
static void add_piece(struct collpieces *p, struct collective *c, nsec from, nsec to)
{
	nsec at = collgrid_time(from, c->dur, c->grid), end = collgrid_time(to, c->dur, c->grid);
	struct coll_piece *last = c->npiece ? &p->piece[p->n - 1] : NULL;

	if (last && last->at + last->span == at) {
		last->span = end - last->at;
		return;
	}
	PUSH(p->piece, p->n, p->cap, (struct coll_piece){ at, end - at, 0 });
	c->npiece++;
}

/* Stretches of less than a unit are one or none, as they lie: in the mean they stay as long. */
static void lay(struct collpieces *p, struct collective *c)
{
	c->npiece = 0;
	p->n = c->piece;
	for (size_t i = 0; i < p->nexact; i++) {
		const struct coll_piece *e = &p->exact[i];
		nsec from = collgrid_unit(e->at, c->grid),
		     to = collgrid_unit(e->at + e->span, c->grid);

		if (e->at + e->span == c->dur)
			to = collgrid_units(c->dur, c->grid);
		if (from < to)
			add_piece(p, c, from, to);
	}
	if (c->npiece == 0 && p->nexact > 0)
		add_piece(p, c, p->exact->at >> c->grid, (p->exact->at >> c->grid) + 1);
}

static void put_on_grid(struct collpieces *p, struct collective *c)
{
	c->grid = collgrid_of(c->dur);
	for (lay(p, c); c->npiece > COLL_PIECES; lay(p, c))
		c->grid++;
	collgrid_share(c, p->piece);
}

void collpieces_show(struct collpieces *p, struct collective *c, nsec start)
{
	nsec from = MAX(start, p->shown), to = saturate_add(start, c->dur);

	c->piece = (uint32_t)p->n;
	p->nexact = 0;
	while (from < to) {
		while (p->at < p->nhidden && p->hidden[p->at].end <= from)
			p->at++;
		const struct collpieces_hidden *h = p->at < p->nhidden ? &p->hidden[p->at] : NULL;
		if (!h || h->start >= to) {
			add_exact(p, c, from - start, to - from);
			break;
		}
		if (h->start > from)
			add_exact(p, c, from - start, h->start - from);
		from = h->end;
	}
	put_on_grid(p, c);
	p->shown = MAX(to, p->shown);
}

nsec collpieces_until(const struct collectives *v, const struct collective *c, nsec ns)
{
	nsec sum = 0;

	for (uint32_t i = 0; i < c->npiece; i++) {
		const struct coll_piece *p = &v->piece[c->piece + i];
		nsec in = saturate_sub(ns, p->at);

		if (in <= 0)
			break;
		if (in >= p->span)
			saturate_onto(&sum, p->ns);
		else if (p->ns == p->span)
			saturate_onto(&sum, in);
		else
			saturate_onto(&sum,
				saturate_whole((double)p->ns * ((double)in / (double)p->span)));
	}
	sum = MIN(sum, c->exposed);
	return sum < ns ? sum : MAX(0, ns);
}
