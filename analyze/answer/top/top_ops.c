/*
 * CPU rows of `top`: operators, annotations and runtime calls, from one walk over the op tree.
 */
#include <stdlib.h>

#include "analyze/answer/top/top_piece.h"
#include "analyze/answer/top/top_rank.h"
#include "analyze/trace/order.h"
#include "base/saturate.h"

/* At most so many pieces, each but the last of at least so many rows. */
enum { PIECES_MAX = 16, PIECE_ROWS = 100000 };

/* Turns the differences in *_dedup and self_ops into values, and adds the groups to the totals. */
static void finish(struct top_groups *ops, struct top_totals *totals)
{
	size_t i;

	saturate_onto(&totals->cpu_ops, totals->cpu);
	for (i = 0; i < ops->n; i++) {
		struct top_group *g = &ops->g[i];

		g->calls_dedup += g->calls;
		saturate_onto(&g->total_dedup, g->total);
		saturate_onto(&g->self_dedup, g->self);
		saturate_onto(&g->self_ops, g->self);
		saturate_onto(&totals->cpu, g->self);
		saturate_onto(&totals->cpu_ops, g->self_ops);
		totals->nhost += g->calls;
	}
}

/* Adds a piece's groups behind those of the pieces before it, and its sums to theirs. */
static void add_piece(struct top *t, const struct top_piece *c)
{
	size_t i;

	for (i = 0; i < c->ops.n; i++) {
		const struct top_group *from = &c->ops.g[i];
		struct top_group *g = top_groups_at(&t->ops, from->id, from->row);

		top_group_merge(g, from);
		g->min = from->min < g->min ? from->min : g->min;
		g->max = from->max > g->max ? from->max : g->max;
	}
	saturate_onto(&t->totals.cpu, c->totals.cpu);
	saturate_onto(&t->totals.cpu_ops, c->totals.cpu_ops);
	t->totals.nhost += c->totals.nhost;
}

/* Names, phases and memory are looked up in what one walk at a time may use. */
static bool can_split(const struct top *t)
{
	return !t->at->view.name && t->by != TOP_BY_PHASE && !t->has_memory;
}

/* The pieces so far and, behind them, one that reaches to `end`, if it is large enough. */
static void cut(struct top *t, size_t end, size_t least)
{
	size_t from = t->npiece ? t->piece[t->npiece - 1].end : 0;

	if (end < from + least)
		return;
	t->piece[t->npiece].from = from;
	t->piece[t->npiece++].end = end;
}

/*
 * At the beginnings of lanes and at quiet places within them, and by the number of rows alone:
 * results do not depend on threads.
 */
size_t top_ops_cut(struct top *t)
{
	const struct order *o = t->at->run->order;
	const size_t *begin = o->host_begin;
	size_t nlane = t->at->run->lanes.n, n = begin[nlane], least = n / PIECES_MAX + 1, lane, i;

	least = least < PIECE_ROWS ? PIECE_ROWS : least;
	t->piece = arena_array(&t->at->mem, PIECES_MAX + 1, sizeof(*t->piece));
	t->npiece = 0;
	for (lane = 0; lane < nlane && can_split(t); lane++) {
		cut(t, begin[lane], least);
		for (i = begin[lane] / ORDER_STRETCH + 1; i * ORDER_STRETCH < begin[lane + 1]; i++)
			cut(t, o->quiet[i], least);
	}
	cut(t, n, 0);
	return t->npiece;
}

void top_ops_walk(struct top *t, size_t i)
{
	struct filter_view view = t->at->view;
	struct top_piece c = t->piece[i]; /* here, so that threads share no line of the cache */

	c.t = t;
	c.view = t->npiece > 1 ? &view : &t->at->view;
	top_groups_init(&c.ops, t->at->run->strings.n);
	if (t->has_memory)
		top_groups_use(&c.ops);
	c.is_open = !t->at->view.step && (t->tree & ~t->at->view.kinds) == 0;
	top_piece_walk(&c);
	free(c.open);
	free(c.use);
	t->piece[i].ops = c.ops;
	t->piece[i].totals = c.totals;
}

void top_ops_finish(struct top *t)
{
	size_t i;

	for (i = 0; i < t->npiece; i++) {
		struct top_piece *c = &t->piece[i];

		if (i == 0) {
			t->ops = c->ops;
			c->ops = (struct top_groups){ 0 };
		}
		add_piece(t, c);
		top_groups_clear(&c->ops);
	}
	finish(&t->ops, &t->totals);
}

uint32_t top_ops_find(struct top *t, uint32_t row)
{
	return top_groups_find(&t->ops, top_ops_id(t, row, PHASE_OTHER));
}
