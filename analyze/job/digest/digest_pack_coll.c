/*
 * Collectives as bytes.  They are the most of a digest: each is what it differs by from the one
 * before it, or from what it mostly is.
 */
#include "analyze/job/match/collectives.h"
#include "analyze/job/match/collpieces.h"
#include "analyze/job/digest/digest_pack.h"
#include "analyze/trace/digest/digest_wire.h"
#include "base/base.h"

/* At least so many bytes each. */
enum { KIND_LEAST = 9, SPLIT_LEAST = 2, ROW_LEAST = 9, PIECE_LEAST = 2 };

/* A grid of a collective is doubled fewer times: of 4096 units 12 times leave one. */
enum { GRIDS_MORE = 13 };

/* ---- writing ---- */

static void put_kinds(struct wire_out *w, const struct collectives *c)
{
	wire_put_count(w, c->nkind);
	for (EACH(const struct coll_kind, k, c->kind, c->nkind)) {
		wire_put_text(w, k->group);
		wire_put_text(w, k->desc);
		wire_put_text(w, k->ranks);
		wire_put_text(w, k->dtype);
		wire_put_text(w, span_of(commclass_word(k->op)));
		wire_put_int(w, k->bytes);
		wire_put_int(w, k->nrank);
		wire_put_int(w, k->src);
		wire_put_int(w, k->dst);
	}
}

static void put_splits(struct wire_out *w, const struct collectives *c)
{
	wire_put_count(w, c->nsplit);
	for (EACH(const struct coll_split, split, c->split, c->nsplit)) {
		wire_put_count(w, split->nin);
		wire_put_column(w, split->in, split->nin, sizeof(int64_t));
		wire_put_count(w, split->nout);
		wire_put_column(w, split->out, split->nout, sizeof(int64_t));
	}
}

/* A number that goes on from the last collective of its kind. */
static void put_sequence(struct wire_out *w, const struct collectives *c)
{
	int64_t *last = zeroed(c->nkind + 1, sizeof(*last));

	for (EACH(const struct collective, v, c->v, c->n)) {
		wire_put_int(w, (int64_t)((uint64_t)v->seq - (uint64_t)last[v->kind]));
		last[v->kind] = v->seq;
	}
	free(last);
}

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

static void put_pieces(struct wire_out *w, const struct collectives *c)
{
	for (EACH(const struct collective, one, c->v, c->n))
		wire_put_count(w, (uint64_t)(one->dur - one->exposed));
	for (size_t i = 0; i < c->n; i++)
		wire_put_count(w, c->v[i].npiece);
	for (size_t i = 0; i < c->n; i++)
		wire_put_count(w, c->v[i].grid - collgrid_of(c->v[i].dur));
	put_units(w, c, true);
	put_units(w, c, false);
}

void collectives_pack(struct wire_out *w, const struct collectives *c)
{
	wire_put_bool(w, c != NULL);
	if (!c)
		return;
	wire_put_bool(w, c->has_epoch);
	put_kinds(w, c);
	put_splits(w, c);
	wire_put_count(w, c->n);
	if (c->n == 0)
		return;
	for (size_t i = 0; i < c->n; i++)
		wire_put_count(w, c->v[i].kind);
	wire_put_column(w, &c->v->start, c->n, sizeof(*c->v));
	for (size_t i = 0; i < c->n; i++)
		wire_put_int(w, c->v[i].dur);
	put_sequence(w, c);
	for (EACH(const struct collective, one, c->v, c->n))
		wire_put_count(w, one->step == COLL_NO_STEP ? 0 : (uint64_t)one->step + 1);
	for (size_t i = 0; i < c->n; i++)
		wire_put_count(w, c->v[i].lane);
	for (size_t i = 0; i < c->n; i++)
		wire_put_count(w, c->v[i].split);
	put_pieces(w, c);
}

/* ---- reading ---- */

static void take_kinds(struct wire_in *w, struct collectives *c, struct arena *mem)
{
	c->nkind = wire_many(w, KIND_LEAST);
	c->kind = arena_array(mem, c->nkind, sizeof(*c->kind));
	for (EACH(struct coll_kind, k, c->kind, c->nkind)) {
		k->group = wire_text(w);
		k->desc = wire_text(w);
		k->ranks = wire_text(w);
		k->dtype = wire_text(w);
		k->op = (enum comm_op)WIRE_WORD(
			w, op, COMM_OP_COUNT, commclass_word((enum comm_op)op));
		k->bytes = wire_int(w);
		k->nrank = wire_int(w);
		k->src = wire_int(w);
		k->dst = wire_int(w);
	}
}

static const int64_t *take_parts(struct wire_in *w, size_t *n, struct arena *mem)
{
	int64_t *v;

	*n = wire_many(w, 1);
	v = arena_array(mem, *n, sizeof(*v));
	wire_column(w, v, *n, sizeof(*v));
	return v;
}

static void take_splits(struct wire_in *w, struct collectives *c, struct arena *mem)
{
	c->nsplit = wire_many(w, SPLIT_LEAST);
	c->split = arena_array(mem, c->nsplit, sizeof(*c->split));
	for (EACH(struct coll_split, split, c->split, c->nsplit)) {
		split->in = take_parts(w, &split->nin, mem);
		split->out = take_parts(w, &split->nout, mem);
	}
}

static void take_sequence(struct wire_in *w, struct collectives *c)
{
	int64_t *last = zeroed(c->nkind + 1, sizeof(*last));

	for (EACH(struct collective, v, c->v, c->n))
		v->seq = last[v->kind] = (int64_t)((uint64_t)last[v->kind] + (uint64_t)wire_int(w));
	free(last);
}

static nsec natural(struct wire_in *w)
{
	int64_t v = (int64_t)wire_count(w);

	if (v >= 0)
		return v;
	wire_fail(w);
	return 0;
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
static void take_grids(struct wire_in *w, struct collectives *c)
{
	for (size_t i = 0; i < c->n; i++)
		c->v[i].exposed = natural(w);
	for (EACH(struct collective, v, c->v, c->n)) {
		v->exposed = v->exposed > v->dur ? -1 : v->dur - v->exposed;
		v->piece = (uint32_t)c->npiece;
		v->npiece = (uint32_t)wire_below(w, COLL_PIECES + 1);
		c->npiece += v->npiece;
		if (v->exposed < 0 || (v->exposed > 0) != (v->npiece > 0))
			wire_fail(w);
	}
	for (EACH(struct collective, one, c->v, c->n))
		one->grid = collgrid_of(one->dur) + (uint32_t)wire_below(w, GRIDS_MORE);
}

static void take_pieces(struct wire_in *w, struct collectives *c, struct arena *mem)
{
	take_grids(w, c);
	if (w->is_bad || c->npiece > (size_t)(w->end - w->at) / PIECE_LEAST) {
		wire_fail(w);
		return;
	}
	c->piece = arena_array(mem, c->npiece, sizeof(*c->piece));
	for (size_t i = 0; i < c->npiece; i++)
		c->piece[i].at = natural(w);
	for (size_t i = 0; i < c->npiece; i++)
		c->piece[i].span = natural(w);
	settle_pieces(w, c);
}

/* Ends are times, too, and starts rise. */
static void check_times(struct wire_in *w, const struct collectives *c)
{
	for (size_t i = 0; i < c->n; i++) {
		nsec end;

		if (c->v[i].dur < 0 || add_overflows(c->v[i].start, c->v[i].dur, &end) ||
			(i > 0 && c->v[i].start < c->v[i - 1].start)) {
			wire_fail(w);
			return;
		}
	}
}

static void take_rows(struct wire_in *w, struct collectives *c, size_t nstep, struct arena *mem)
{
	c->n = wire_many(w, ROW_LEAST);
	if (c->n == 0)
		return;
	c->v = arena_array(mem, c->n, sizeof(*c->v));
	for (size_t i = 0; i < c->n; i++)
		c->v[i].kind = (uint32_t)wire_below(w, c->nkind);
	wire_column(w, &c->v->start, c->n, sizeof(*c->v));
	for (size_t i = 0; i < c->n; i++)
		c->v[i].dur = wire_int(w);
	check_times(w, c);
	take_sequence(w, c);
	for (size_t i = 0; i < c->n; i++) {
		size_t step = wire_below(w, nstep + 1);

		c->v[i].step = step ? (uint32_t)step - 1 : COLL_NO_STEP;
	}
	for (size_t i = 0; i < c->n; i++)
		c->v[i].lane = (uint32_t)wire_below(w, c->n);
	for (size_t i = 0; i < c->n; i++)
		c->v[i].split = (uint32_t)wire_below(w, c->nsplit + 1);
	take_pieces(w, c, mem);
}

const struct collectives *collectives_unpack(struct wire_in *w, size_t nstep, struct arena *mem)
{
	struct collectives *c;

	if (!wire_bool(w))
		return NULL;
	c = arena_alloc(mem, sizeof(*c));
	c->has_epoch = wire_bool(w);
	take_kinds(w, c, mem);
	take_splits(w, c, mem);
	take_rows(w, c, nstep, mem);
	return c;
}
