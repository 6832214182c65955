/*
 * Digest of work: what the calls of each op should compute, and how much of the peak steps use.
 */
#include <math.h>
#include <stdlib.h>

#include "analyze/job/digest_gather.h"
#include "analyze/roof/roof.h"
#include "analyze/trace/run.h"
#include "analyze/trace/steps.h"
#include "base/saturate.h"

static void put_steps(struct digest_view *v, const struct roof *o)
{
	size_t i;

	for (i = 0; i < o->nstep; i++) {
		const struct roof_step *from = &o->step[i];
		struct digest_step *to;
		nsec open;
		double mfu;

		if (!v->place[i] || from->own_known <= 0)
			continue;
		to = &v->d->step[v->place[i] - 1];
		open = saturate_sub(saturate_times(to->wall, (int64_t)v->d->ndevice),
			to->part[PART_UNRECORDED]);
		mfu = roof_utilisation(o, from->flop, NULL, open);
		to->mfu = isnan(mfu) ? 0 : mfu;
		to->known_ratio = (double)from->own_known / (double)from->own;
	}
}

static void add_row(struct digest_work *w, const struct roof_cost *c, const struct roof_row *row,
	uint32_t place)
{
	int64_t flop = c->work.flop;

	saturate_onto(&w->calls, row->calls);
	if (flop <= 0)
		return;
	flop = saturate_times(flop, row->calls);
	saturate_onto(&w->known, row->calls);
	saturate_onto(&w->flop, flop);
	saturate_onto(&w->ns, row->busy);
	if (!w->step_flop)
		return;
	saturate_onto(&w->step_flop[place - 1], flop);
	saturate_onto(&w->step_ns[place - 1], row->busy);
}

/* 1 + the place of the row's counted step; 0: it is of none, or of no op. */
static uint32_t place_of(const struct digest_view *v, const struct roof *o, uint32_t row)
{
	const struct roof_row_key *key = keymap_key(&o->row_keys, row);
	const struct roof_key *cost = keymap_key(&o->keys, key->cost);

	if (cost->flags & ROOF_IS_KERNEL || key->step == 0 || key->step > o->nstep)
		return 0;
	return v->place[key->step - 1];
}

static sym name_of(const struct roof *o, uint32_t row)
{
	const struct roof_row_key *key = keymap_key(&o->row_keys, row);
	const struct roof_key *cost = keymap_key(&o->keys, key->cost);

	return cost->name;
}

static int by_op(const void *pa, const void *pb)
{
	const struct digest_work *a = pa, *b = pb;

	return span_cmp(a->op, b->op);
}

/* 1 + the row of each op, by sym; makes the rows. */
static uint32_t *make_rows(struct digest_view *v, const struct roof *o)
{
	uint32_t *of = arena_array(&v->scratch, v->run->strings.n, sizeof(*of)), i;
	struct digest *d = v->d;
	bool fits;

	for (i = 0; i < o->row_keys.n; i++)
		if (place_of(v, o, i) && !of[name_of(o, i)])
			of[name_of(o, i)] = (uint32_t)++d->nwork;
	d->work = arena_array(&d->mem, d->nwork, sizeof(*d->work));
	fits = d->nstep > 0 && d->nwork <= DIGEST_CELLS_MAX / 2 / d->nstep;
	for (i = 0; i < v->run->strings.n; i++) {
		struct digest_work *w = of[i] ? &d->work[of[i] - 1] : NULL;
		struct span name;

		if (!w)
			continue;
		name = strings_get(&v->run->strings, i);
		w->op = (struct span){ arena_copy(&d->mem, name.p, name.n), name.n };
		if (!fits)
			continue;
		w->step_flop = arena_array(&d->mem, d->nstep, sizeof(*w->step_flop));
		w->step_ns = arena_array(&d->mem, d->nstep, sizeof(*w->step_ns));
	}
	return of;
}

void digest_work(struct digest_view *v)
{
	struct roof o;
	uint32_t *of, i;

	if (!v->o->work || !v->d->has_device)
		return;
	roof_init(&o, v->run, v->view, v->classes, NULL, ROOF_BY_STEP, &v->scratch);
	put_steps(v, &o);
	of = make_rows(v, &o);
	for (i = 0; i < o.row_keys.n; i++) {
		const struct roof_row_key *key = keymap_key(&o.row_keys, i);
		uint32_t place = place_of(v, &o, i);

		if (place)
			add_row(&v->d->work[of[name_of(&o, i)] - 1], &o.cost[key->cost], &o.row[i],
				place);
	}
	if (v->d->nwork > 1)
		qsort(v->d->work, v->d->nwork, sizeof(*v->d->work), by_op);
	roof_clear(&o);
}
