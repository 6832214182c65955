/*
 * Pieces of collectives that nothing hides.
 */
#include "analyze/job/collpieces.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/saturate.h"

void collpieces_clear(struct collpieces *p)
{
	free(p->hidden);
	free(p->piece);
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
		last->end = end > last->end ? end : last->end;
		return;
	}
	p->hidden = array_grow(p->hidden, &p->hidden_cap, p->nhidden + 1, sizeof(*p->hidden));
	p->hidden[p->nhidden++] = (struct collpieces_hidden){ start, end };
}

/* Joins the two of n pieces that are nearest each other; the last one may be far from all. */
static void join_nearest(struct coll_piece *v, size_t n)
{
	nsec least = INT64_MAX;
	size_t i, at = 1;

	for (i = 1; i < n; i++) {
		nsec between = v[i].at - v[i - 1].at - v[i - 1].span;

		if (between < least) {
			least = between;
			at = i;
		}
	}
	v[at - 1].span = v[at].at + v[at].span - v[at - 1].at;
	v[at - 1].ns += v[at].ns;
	for (i = at; i + 1 < n; i++)
		v[i] = v[i + 1];
}

static void add_piece(struct collpieces *p, struct collective *c, nsec at, nsec ns)
{
	if (ns <= 0)
		return;
	p->piece = array_grow(p->piece, &p->cap, p->n + 1, sizeof(*p->piece));
	p->piece[p->n++] = (struct coll_piece){ at, ns, ns };
	c->exposed += ns;
	if (++c->npiece > COLL_PIECES) {
		join_nearest(p->piece + c->piece, c->npiece);
		c->npiece--;
		p->n--;
	}
}

void collpieces_show(struct collpieces *p, struct collective *c, nsec start)
{
	nsec from = start > p->shown ? start : p->shown, to = saturate_add(start, c->dur);

	c->piece = (uint32_t)p->n;
	while (from < to) {
		const struct collpieces_hidden *h;

		while (p->at < p->nhidden && p->hidden[p->at].end <= from)
			p->at++;
		h = p->at < p->nhidden ? &p->hidden[p->at] : NULL;
		if (!h || h->start >= to) {
			add_piece(p, c, from - start, to - from);
			break;
		}
		if (h->start > from)
			add_piece(p, c, from - start, h->start - from);
		from = h->end;
	}
	p->shown = to > p->shown ? to : p->shown;
}

nsec collpieces_until(const struct collectives *v, const struct collective *c, nsec ns)
{
	nsec sum = 0;
	uint32_t i;

	for (i = 0; i < c->npiece; i++) {
		const struct coll_piece *p = &v->piece[c->piece + i];
		nsec in = saturate_sub(ns, p->at);

		if (in <= 0)
			break;
		if (in >= p->span)
			saturate_onto(&sum, p->ns);
		else if (p->ns == p->span)
			saturate_onto(&sum, in);
		else
			saturate_onto(&sum, (nsec)((double)p->ns * ((double)in / (double)p->span)));
	}
	return sum < c->exposed ? sum : c->exposed;
}
