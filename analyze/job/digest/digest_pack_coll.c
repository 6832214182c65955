/* Collectives as bytes.  They are the most of a digest: each is what it differs by from the one
 * before it, or from what it mostly is. */
#include "analyze/job/match/collectives.h"
#include "analyze/job/match/collpieces.h"
#include "analyze/job/digest/digest_pack.h"
#include "analyze/trace/digest/digest_wire.h"
#include "base/base.h"

/* At least so many bytes each. */
enum { KIND_LEAST = 9, SPLIT_LEAST = 2, ROW_LEAST = 9, PIECE_LEAST = 2 };

/* A grid of a collective is doubled fewer times: of 4096 units 12 times leave one. */
enum { GRIDS_MORE = 13 };

static void walk_kinds(struct walk *w, struct collectives *c)
{
	c->kind = walk_rows(w, c->kind, &c->nkind, KIND_LEAST, sizeof(*c->kind));
	for (EACH(struct coll_kind, k, c->kind, c->nkind)) {
		walk_text(w, &k->group);
		walk_text(w, &k->desc);
		walk_text(w, &k->ranks);
		walk_text(w, &k->dtype);
		k->op = (enum comm_op)WALK_WORD(
			w, op, k->op, COMM_OP_COUNT, commclass_word((enum comm_op)op));
		walk_int(w, &k->bytes, INT64_MIN);
		walk_int(w, &k->nrank, INT64_MIN);
		walk_int(w, &k->src, INT64_MIN);
		walk_int(w, &k->dst, INT64_MIN);
	}
}

static const int64_t *walk_parts(struct walk *w, const int64_t *v, size_t *n)
{
	int64_t *made;

	*n = walk_many(w, *n, 1);
	if (!w->in) {
		wire_put_column(w->out, v, *n, sizeof(*v));
		return v;
	}
	made = arena_array(w->in->mem, *n, sizeof(*made));
	wire_column(w->in, made, *n, sizeof(*made));
	return made;
}

static void walk_splits(struct walk *w, struct collectives *c)
{
	c->split = walk_rows(w, c->split, &c->nsplit, SPLIT_LEAST, sizeof(*c->split));
	for (EACH(struct coll_split, split, c->split, c->nsplit)) {
		split->in = walk_parts(w, split->in, &split->nin);
		split->out = walk_parts(w, split->out, &split->nout);
	}
}

/* A number that goes on from the last collective of its kind. */
static void walk_sequence(struct walk *w, struct collectives *c)
{
	int64_t *last = zeroed(c->nkind + 1, sizeof(*last));

	for (EACH(struct collective, v, c->v, c->n))
		walk_step(w, &v->seq, &last[v->kind]);
	free(last);
}

/* ---- pieces ---- */

/* In units: the gap in front of each piece, or its length, of the last what is behind it. */
static void put_units(struct wire_out *w, const struct collectives *c, bool are_gaps)
{
	for (EACH(const struct collective, v, c->v, c->n)) {
		nsec end = 0;

		for (size_t k = 0; k < v->npiece; k++) {
			const struct coll_piece *p = &c->piece[v->piece + k];
			nsec at = p->at >> v->grid, before = end;
			bool is_last = k + 1 == v->npiece;

			end = collgrid_units(p->at + p->span, v->grid);
			if (are_gaps)
				wire_put_count(w, (uint64_t)(at - before));
			else
				wire_put_count(w,
					(uint64_t)(is_last ? collgrid_units(v->dur, v->grid) - end
							   : end - at));
		}
	}
}

/* Of what stands in the bytes the stretch that it means; false: not within the collective. */
static bool settle_piece(const struct collective *v, struct coll_piece *p, nsec *end, bool is_last)
{
	nsec left = collgrid_units(v->dur, v->grid) - *end;

	if (p->at > left || p->span > left - p->at)
		return false;
	nsec at = *end + p->at;
	*end = is_last ? *end + left - p->span : at + p->span;
	p->at = collgrid_time(at, v->dur, v->grid);
	p->span = collgrid_time(*end, v->dur, v->grid) - p->at;
	return p->span > 0;
}

static void settle_pieces(struct wire_in *w, struct collectives *c)
{
	for (size_t i = 0; i < c->n && !w->is_bad; i++) {
		struct collective *v = &c->v[i];
		nsec end = 0;

		for (size_t k = 0; k < v->npiece; k++)
			if (!settle_piece(v, &c->piece[v->piece + k], &end, k + 1 == v->npiece)) {
				wire_fail(w);
				return;
			}
		collgrid_share(v, c->piece);
	}
}

/* What is exposed is none without pieces, and some with them; units are times. */
static void walk_grids(struct walk *w, struct collectives *c)
{
	size_t n = 0;

	for (EACH(struct collective, v, c->v, c->n)) {
		nsec hidden = walk_natural(w, v->dur - v->exposed);

		v->exposed = hidden > v->dur ? -1 : v->dur - hidden;
	}
	for (EACH(struct collective, v, c->v, c->n)) {
		v->npiece = (uint32_t)walk_below(w, v->npiece, COLL_PIECES + 1);
		v->piece = w->in ? (uint32_t)n : v->piece;
		n += v->npiece;
		walk_check(w, v->exposed >= 0 && (v->exposed > 0) == (v->npiece > 0));
	}
	c->npiece = n;
	for (EACH(struct collective, v, c->v, c->n)) {
		unsigned finest = collgrid_of(v->dur);

		v->grid = finest + (uint32_t)walk_below(w, v->grid - finest, GRIDS_MORE);
	}
}

static void walk_pieces(struct walk *w, struct collectives *c)
{
	walk_grids(w, c);
	if (!w->in) {
		put_units(w->out, c, true);
		put_units(w->out, c, false);
		return;
	}
	if (w->in->is_bad || c->npiece > (size_t)(w->in->end - w->in->at) / PIECE_LEAST) {
		wire_fail(w->in);
		return;
	}
	c->piece = arena_array(w->in->mem, c->npiece, sizeof(*c->piece));
	for (size_t i = 0; i < c->npiece; i++)
		c->piece[i].at = (nsec)walk_below(w, 0, (size_t)INT64_MAX + 1);
	for (size_t i = 0; i < c->npiece; i++)
		c->piece[i].span = (nsec)walk_below(w, 0, (size_t)INT64_MAX + 1);
	settle_pieces(w->in, c);
}

/* ---- all of it ---- */

/* Durations as what they are more than the last of their kind, starts behind the last end on their
 * lane. */
static void walk_apart(struct walk *w, struct collectives *c)
{
	int64_t *last = zeroed(c->nkind + 1, sizeof(*last)), *end = zeroed(c->n, sizeof(*end));

	for (EACH(struct collective, v, c->v, c->n))
		walk_step(w, &v->dur, &last[v->kind]);
	for (EACH(struct collective, v, c->v, c->n)) {
		walk_step(w, &v->start, &end[v->lane]);
		end[v->lane] = saturate_add(v->start, v->dur);
	}
	FREE_ALL(last, end);
}

/* As records had them before version 2, and in front of all else. */
static void walk_together(struct walk *w, struct collectives *c)
{
	walk_column(w, &c->v->start, c->n, sizeof(*c->v), INT64_MIN);
	for (EACH(struct collective, v, c->v, c->n))
		walk_int(w, &v->dur, 0);
}

/* Ends are times, too, and starts rise. */
static void check_times(struct walk *w, struct collectives *c)
{
	nsec end;

	for (EACH(struct collective, v, c->v, c->n)) {
		walk_check(w,
			v->dur >= 0 && !add_overflows(v->start, v->dur, &end) &&
				(v == c->v || v[-1].start <= v->start));
		v->dur = w->in ? MAX(v->dur, 0) : v->dur;
	}
}

static void walk_places(struct walk *w, struct collectives *c, size_t nstep)
{
	for (EACH(struct collective, v, c->v, c->n)) {
		size_t step = v->step == COLL_NO_STEP ? 0 : (size_t)v->step + 1;

		step = walk_below(w, step, nstep + 1);
		v->step = step ? (uint32_t)step - 1 : COLL_NO_STEP;
	}
	for (EACH(struct collective, v, c->v, c->n))
		v->lane = (uint32_t)walk_below(w, v->lane, c->n);
	for (EACH(struct collective, v, c->v, c->n))
		v->split = (uint32_t)walk_below(w, v->split, c->nsplit + 1);
}

const struct collectives *collectives_walk(
	struct walk *w, const struct collectives *was, size_t nstep)
{
	struct collectives *c, all = was ? *was : (struct collectives){ 0 };
	bool is_there = was != NULL;

	walk_bool(w, &is_there);
	if (!is_there)
		return NULL;
	walk_bool(w, &all.has_epoch);
	walk_kinds(w, &all);
	walk_splits(w, &all);
	all.v = walk_rows(w, all.v, &all.n, ROW_LEAST, sizeof(*all.v));
	if (all.n > 0) {
		for (EACH(struct collective, v, all.v, all.n))
			v->kind = (uint32_t)walk_below(w, v->kind, all.nkind);
		if (walk_is_plain(w))
			walk_together(w, &all);
		walk_sequence(w, &all);
		walk_places(w, &all, nstep);
		if (!walk_is_plain(w))
			walk_apart(w, &all);
		check_times(w, &all);
		walk_pieces(w, &all);
	}
	if (!w->in)
		return was;
	c = arena_alloc(w->in->mem, sizeof(*c));
	*c = all;
	return c;
}
