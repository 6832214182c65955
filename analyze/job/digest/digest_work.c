/*
 * Digest of work: what the calls of each op should compute, and how much of the peak steps use.
 */
#include <math.h>
#include <stdlib.h>

#include "analyze/job/digest/digest_gather.h"
#include "analyze/costmodel/roof.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
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
	if (w->step_busy && !c->is_comm)
		saturate_onto(&w->step_busy[place - 1], row->busy);
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

/* The op's name; 0: no op launched it. */
static sym name_of(const struct roof *o, uint32_t row)
{
	const struct roof_row_key *key = keymap_key(&o->row_keys, row);
	const struct roof_key *cost = keymap_key(&o->keys, key->cost);

	return cost->flags & ROOF_IS_KERNEL ? 0 : cost->name;
}

struct named {
	struct span op;
	sym name;
};

static int by_op(const void *pa, const void *pb)
{
	const struct named *a = pa, *b = pb;

	return span_cmp(a->op, b->op);
}

/* The ops of counted work, by name.  Scratch; *of receives 1 + the place of each, by sym. */
static struct named *list_ops(struct digest_view *v, const struct roof *o, uint32_t **of)
{
	size_t n = 0;
	struct named *op;
	uint32_t i;

	*of = arena_array(&v->scratch, v->run->strings.n + 1, sizeof(**of));
	for (i = 0; i < o->row_keys.n; i++)
		if (digest_work_place(v, o, i) && !(*of)[name_of(o, i)])
			(*of)[name_of(o, i)] = (uint32_t)++n;
	op = arena_array(&v->scratch, n, sizeof(*op));
	for (n = 0, i = 0; i < v->run->strings.n; i++)
		if ((*of)[i])
			op[n++] = (struct named){ strings_get(&v->run->strings, i), i };
	if (n > 1)
		qsort(op, n, sizeof(*op), by_op);
	for (i = 0; i < n; i++)
		(*of)[op[i].name] = i + 1;
	v->d->nwork = n;
	return op;
}

/* Makes the rows; returns 1 + the row of each op, by sym. */
static uint32_t *make_rows(struct digest_view *v, const struct roof *o)
{
	struct digest *d = v->d;
	uint32_t *of;
	const struct named *op = list_ops(v, o, &of);
	bool fits = d->nstep > 0 && d->nwork <= DIGEST_CELLS_MAX / 3 / d->nstep;
	size_t i;

	d->work = arena_array(&d->mem, d->nwork, sizeof(*d->work));
	for (i = 0; i < d->nwork; i++) {
		struct digest_work *w = &d->work[i];

		w->op = (struct span){ arena_copy(&d->mem, op[i].op.p, op[i].op.n), op[i].op.n };
		if (!fits)
			continue;
		w->step_flop = arena_array(&d->mem, d->nstep, sizeof(*w->step_flop));
		w->step_ns = arena_array(&d->mem, d->nstep, sizeof(*w->step_ns));
		w->step_busy = arena_array(&d->mem, d->nstep, sizeof(*w->step_busy));
	}
	return of;
}

void digest_work(struct digest_view *v)
{
	struct roof o;
	uint32_t *of, i;

	if (!v->o->work || !v->d->has_device || !args_any_text(&v->run->args, ARG_OP_DIMS))
		return; /* without shapes nothing is known */
	roof_init(&o, v->run, v->view, v->classes, NULL, ROOF_BY_STEP, &v->scratch);
	put_steps(v, &o);
	of = make_rows(v, &o);
	for (i = 0; i < o.row_keys.n; i++) {
		const struct roof_row_key *key = keymap_key(&o.row_keys, i);
		uint32_t place = digest_work_place(v, &o, i);

		if (place)
			add_row(&v->d->work[of[name_of(&o, i)] - 1], &o.cost[key->cost], &o.row[i],
				place);
	}
	digest_cost(v, &o, of);
	roof_clear(&o);
}
