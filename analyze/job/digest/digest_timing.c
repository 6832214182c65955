/* Device work of a digest, to time it again (rankwork.h): of the first steps, as many as there is
 * room for.  Times that are no collectives' are kept to seven binary digits, in a digest of a
 * trace, too, so that it and its record say the same. */
#include "analyze/job/digest/digest_gather.h"
#include "analyze/job/digest/digest_pack.h"
#include "analyze/job/match/collectives.h"
#include "analyze/job/path/rankwork.h"
#include "analyze/trace/digest/digest_wire.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"

enum { PIECES_MAX = 1 << 15, PIECE_LEAST = 7, STEP_LEAST = 2 };

/* ---- times ---- */

/* Seven digits and an exponent in one number: below 128 it is the time, from there on each 64 of
 * them are twice as far apart as those before. */
enum { DIGITS = 7, HALF = 1 << (DIGITS - 1), CODES = 64 * HALF };

static size_t code_of(nsec ns)
{
	unsigned shift = 0;

	while (ns >> shift >= 2 * HALF)
		shift++;
	return shift * HALF + (size_t)((ns + ((nsec)1 << shift >> 1)) >> shift);
}

static nsec time_of(size_t code)
{
	size_t shift = code < (size_t)2 * HALF ? 0 : code / HALF - 1;

	return (nsec)(code - shift * HALF) << shift;
}

/* When what it waits for has ended. */
static nsec before(const struct rankwork *w, const struct rankwork_piece *p)
{
	nsec at = w->step[0].start;
	bool is_any = false;

	for (int k = 0; k < RANKWORK_DEPS; k++) {
		if (p->dep[k] == RANKWORK_NONE)
			continue;
		at = is_any ? MAX(w->v[p->dep[k]].end, at) : w->v[p->dep[k]].end;
		is_any = true;
	}
	return at;
}

/* Of a piece behind those it waits for, from what is kept. */
static void place(const struct rankwork *w, struct rankwork_piece *p, const struct collectives *c,
	nsec gap, nsec inner)
{
	const struct collective *of = p->collective == RANKWORK_NONE ? NULL : &c->v[p->collective];

	p->start = of ? of->start : saturate_add(before(w, p), gap);
	p->runs = of ? of->dur : p->runs;
	p->end = saturate_add(saturate_add(p->start, p->runs), of ? 0 : inner);
}

static nsec rounded(nsec ns)
{
	return ns < 0 ? -time_of(code_of(-ns)) : time_of(code_of(ns));
}

/* As they will be read again. */
static void settle(struct rankwork *w, const struct collectives *c)
{
	nsec *gap = zeroed(w->n, sizeof(*gap));

	for (size_t i = 0; i < w->n; i++)
		gap[i] = saturate_sub(w->v[i].start, before(w, &w->v[i]));
	for (size_t i = 0; i < w->n; i++) {
		struct rankwork_piece *p = &w->v[i];
		nsec inner = saturate_sub(saturate_sub(p->end, p->start), p->runs);

		p->runs = rounded(p->runs);
		place(w, p, c, rounded(gap[i]), rounded(MAX(inner, 0)));
	}
	free(gap);
}

/* The first steps, at least one, with few enough pieces. */
static void keep_first(struct rankwork *w)
{
	size_t n = w->n;

	while (w->nstep > 1 && n > PIECES_MAX) {
		nsec end = w->step[--w->nstep - 1].end;

		n = PARTITION_POINT(i, 0, w->n, w->v[i].start < end);
	}
	w->n = n;
}

/* ---- making ---- */

/* By node: which of the digest's collectives it is. */
static uint32_t *find_collectives(const struct depend *d, const struct collectives *c)
{
	uint32_t *of_row = zeroed(d->run->events.n, sizeof(*of_row));
	uint32_t *of = zeroed(d->n, sizeof(*of));

	for (size_t i = 0; i < c->n; i++)
		of_row[c->row[i]] = (uint32_t)i + 1;
	for (size_t i = 0; i < d->n; i++) /* 0 becomes RANKWORK_NONE */
		of[i] = depend_is_work(&d->node[i]) ? of_row[d->node[i].row] - 1 : RANKWORK_NONE;
	free(of_row);
	return of;
}

void digest_timing(struct digest_view *v)
{
	const struct collectives *c = v->d->collectives;
	const struct run *r = v->run;
	nsec base = r->meta.has_base ? r->meta.base_ns : 0;
	struct rankwork *w;
	struct depend d;

	if (!v->o->timing || !c || c->n == 0 || v->d->nstep == 0)
		return;
	v->d->timing = w = arena_alloc(&v->d->mem, sizeof(*w));
	struct rankwork_step *step = arena_array(&v->d->mem, v->d->nstep, sizeof(*step));
	for (size_t i = 0; i < r->steps->n; i++)
		if (v->place[i])
			step[v->place[i] - 1] = (struct rankwork_step){ r->steps->step[i].number,
				saturate_add(r->steps->step[i].start, base),
				saturate_add(r->steps->step[i].end, base) };
	depend_init(&d, r, NULL);
	uint32_t *of = find_collectives(&d, c);
	rankwork_init(w, &d, step[0].start - base, step[v->d->nstep - 1].end - base, base, of,
		&v->d->mem);
	w->step = step;
	w->nstep = v->d->nstep;
	keep_first(w);
	settle(w, c);
	free(of);
	depend_clear(&d);
}

/* ---- as bytes ---- */

static void walk_time(struct walk *w, nsec *ns)
{
	*ns = time_of(walk_below(w, w->in ? 0 : code_of(*ns), CODES));
}

static void walk_steps(struct walk *w, struct rankwork *t, const struct digest *d)
{
	t->step = walk_rows(w, t->step, &t->nstep, STEP_LEAST, sizeof(*t->step));
	walk_check(w, t->nstep > 0 && t->nstep <= d->nstep);
	if (w->in && (w->in->is_bad || t->nstep == 0))
		return;
	walk_column(w, &t->step->start, t->nstep, sizeof(*t->step), INT64_MIN);
	for (size_t i = 0; i < t->nstep; i++) {
		nsec ns = w->in ? 0 : t->step[i].end - t->step[i].start;

		walk_int(w, &ns, 0);
		t->step[i].end = saturate_add(t->step[i].start, ns);
		t->step[i].number = d->step[i].number;
	}
}

/* What it does, as the number of its first mention. */
static void walk_what(struct walk *w, struct rankwork *t)
{
	uint64_t *seen = zeroed(t->n + 1, sizeof(*seen));
	struct keymap known;
	size_t n = 0;

	keymap_init(&known, sizeof(*seen));
	for (EACH(struct rankwork_piece, p, t->v, t->n)) {
		size_t at = walk_below(w, w->in ? 0 : keymap_add(&known, &p->what), n + 1);

		if (at == n) {
			int64_t what = (int64_t)p->what;

			walk_int(w, &what, INT64_MIN);
			seen[n++] = (uint64_t)what;
		}
		p->what = seen[at];
	}
	keymap_clear(&known);
	free(seen);
}

/* What it waits for, by how far that is before it: 0 is none. */
static void walk_deps(struct walk *w, struct rankwork *t)
{
	for (int k = 0; k < RANKWORK_DEPS; k++)
		for (size_t i = 0; i < t->n; i++) {
			uint32_t *dep = &t->v[i].dep[k];
			size_t back = w->in || *dep == RANKWORK_NONE ? 0 : i - *dep;

			back = walk_below(w, back, i + 1);
			*dep = back == 0 ? RANKWORK_NONE : (uint32_t)(i - back);
		}
}

/* 0: it is none; else how much further than the last one, and 1. */
static void walk_which(struct walk *w, struct rankwork *t, size_t n)
{
	int64_t last = -1;

	for (EACH(struct rankwork_piece, p, t->v, t->n)) {
		bool is = p->collective != RANKWORK_NONE;
		int64_t at = p->collective;

		walk_bool(w, &is);
		if (is)
			walk_step(w, &at, &last);
		walk_check(w, !is || (at >= 0 && (size_t)at < n));
		p->collective = is && at >= 0 && (size_t)at < n ? (uint32_t)at : RANKWORK_NONE;
	}
}

static void walk_times(struct walk *w, struct rankwork *t, const struct collectives *c)
{
	for (EACH(struct rankwork_piece, p, t->v, t->n)) {
		nsec gap = w->in ? 0 : saturate_sub(p->start, before(t, p));
		nsec inner = w->in ? 0 : saturate_sub(saturate_sub(p->end, p->start), p->runs);
		bool is_early = gap < 0;

		if (p->collective == RANKWORK_NONE) {
			walk_time(w, &p->runs);
			walk_time(w, &inner);
			gap = is_early ? -gap : gap;
			walk_bool(w, &is_early);
			walk_time(w, &gap);
		}
		place(t, p, c, is_early ? -gap : gap, inner);
	}
}

void timing_walk(struct walk *w, struct digest *d)
{
	struct rankwork all = w->in ? (struct rankwork){ 0 } : *d->timing;

	walk_steps(w, &all, d);
	all.v = walk_rows(w, all.v, &all.n, PIECE_LEAST, sizeof(*all.v));
	walk_deps(w, &all);
	walk_what(w, &all);
	walk_which(w, &all, d->collectives->n);
	if (w->in && w->in->is_bad)
		return;
	walk_times(w, &all, d->collectives);
	if (!w->in || w->in->is_bad)
		return;
	d->timing = arena_alloc(w->in->mem, sizeof(*d->timing));
	*d->timing = all;
}
