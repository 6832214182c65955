/* Digest of work: what the calls of each op should compute, and how much of the peak steps use. */
#include "analyze/job/digest/digest_gather.h"

#include "analyze/costmodel/roof.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/base.h"

/* Digest of work: calls of an op that have the same arguments and the same work, so that two runs
 * can be told apart by how much they do and by how fast they do it. */

/* 1 + the place of a row's counted step; 0: it is of none. */
static uint32_t work_place(const struct digest_view *v, const struct roof *o, uint32_t row)
{
	const struct roof_row_key *key = keymap_key(&o->row_keys, row);

	return key->step == 0 || key->step > o->nstep ? 0 : v->place[key->step - 1];
}

ORDER(by_key, struct digest_cost, compare3(a->work, b->work), span_cmp(a->dims, b->dims),
	compare3(a->flop, b->flop), compare3(a->bytes, b->bytes), compare3(a->why, b->why))

/* What bounds a call at the peaks of that device; where they are not known, what its units are. */
static bool is_by_bytes(const struct roof *o, uint32_t device, const struct roof_cost *c)
{
	struct roof_limit l = roof_limit_of(&o->peaks[device], c);

	if (c->work.flop <= 0 || c->work.bytes <= 0)
		return c->work.flop <= 0;
	if (isnan(l.compute_ns) || isnan(l.memory_ns))
		return !c->op || c->op->unit != ROOF_MATRIX;
	return l.compute_ns < l.memory_ns;
}

/* Names are borrowed from the run. */
static struct digest_cost cost_of(
	const struct digest_view *v, const struct roof *o, const struct roof_row_key *row)
{
	const struct roof_key *key = keymap_key(&o->keys, row->cost);
	const struct roof_cost *from = &o->cost[row->cost];
	struct digest_cost c = { .dims = { "", 0 },
		.why = from->is_comm ? ROOF_WHY_COLLECTIVE : from->work.why,
		.flop = from->work.flop,
		.bytes = from->work.bytes,
		.by_bytes = is_by_bytes(o, row->device, from) };

	if (digest_cost_is_known(&c))
		c.dims = strings_get(&v->run->strings, key->dims);
	return c;
}

/* Equal ones become one. */
static void join(struct digest *d)
{
	size_t n = 0;

	sort_rows(d->cost, d->ncost, sizeof(*d->cost), by_key);
	for (size_t i = 0; i < d->ncost; i++) {
		struct digest_cost *c = &d->cost[i], *last = n > 0 ? &d->cost[n - 1] : NULL;

		if (!last || by_key(last, c) != 0) {
			d->cost[n++] = *c;
			continue;
		}
		saturate_onto(&last->calls, c->calls);
		saturate_onto(&last->ns, c->ns);
	}
	d->ncost = n;
	for (EACH(struct digest_cost, cost, d->cost, n))
		cost->dims.p = arena_copy(&d->mem, cost->dims.p, cost->dims.n);
}

/* Fills d->cost; of: by sym of an op's name (0: of none) 1 + its row of d->work. */
static void put_costs(struct digest_view *v, const struct roof *o, const uint32_t *of)
{
	uint32_t *at = arena_array(&v->scratch, o->keys.n + 1, sizeof(*at));
	struct digest *d = v->d;

	d->cost = arena_array(&d->mem, o->keys.n, sizeof(*d->cost));
	for (uint32_t i = 0; i < o->row_keys.n; i++) {
		const struct roof_row_key *row = keymap_key(&o->row_keys, i);
		const struct roof_key *key = keymap_key(&o->keys, row->cost);
		struct digest_cost *c;

		if (!work_place(v, o, i))
			continue;
		if (!at[row->cost]) {
			at[row->cost] = (uint32_t)++d->ncost;
			c = &d->cost[d->ncost - 1];
			*c = cost_of(v, o, row);
			c->work = of[key->flags & ROOF_IS_KERNEL ? 0 : key->name] - 1;
		}
		c = &d->cost[at[row->cost] - 1];
		saturate_onto(&c->calls, o->row[i].calls);
		saturate_onto(&c->ns, o->row[i].busy);
	}
	join(d);
}

/* ---- ops ---- */

static void put_steps(struct digest_view *v, const struct roof *o)
{
	for (size_t i = 0; i < o->nstep; i++) {
		const struct roof_step *from = &o->step[i];

		if (!v->place[i] || from->own_known <= 0)
			continue;
		struct digest_step *to = &v->d->step[v->place[i] - 1];
		nsec open = saturate_sub(saturate_times(to->wall, (int64_t)v->d->ndevice),
			to->part[PART_UNRECORDED]);
		double mfu = roof_utilisation(o, from->flop, NULL, open);
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

ORDER(by_op, struct named, span_cmp(a->op, b->op))

/* The ops of counted work, by name.  Scratch; *of receives 1 + the place of each, by sym. */
static struct named *list_ops(struct digest_view *v, const struct roof *o, uint32_t **of)
{
	size_t n = 0;
	struct named *op;
	uint32_t i;

	*of = arena_array(&v->scratch, v->run->strings.n + 1, sizeof(**of));
	for (i = 0; i < o->row_keys.n; i++)
		if (work_place(v, o, i) && !(*of)[name_of(o, i)])
			(*of)[name_of(o, i)] = (uint32_t)++n;
	op = arena_array(&v->scratch, n, sizeof(*op));
	for (n = 0, i = 0; i < v->run->strings.n; i++)
		if ((*of)[i])
			op[n++] = (struct named){ strings_get(&v->run->strings, i), i };
	sort_rows(op, n, sizeof(*op), by_op);
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

	d->work = arena_array(&d->mem, d->nwork, sizeof(*d->work));
	for (size_t i = 0; i < d->nwork; i++) {
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

	if (!v->o->work || !v->d->has_device || !args_any_text(&v->run->args, ARG_OP_DIMS))
		return; /* without shapes nothing is known */
	roof_init(&o, v->run, v->view, v->classes, NULL, ROOF_BY_STEP, NULL, &v->scratch);
	put_steps(v, &o);
	uint32_t *of = make_rows(v, &o);
	for (uint32_t i = 0; i < o.row_keys.n; i++) {
		const struct roof_row_key *key = keymap_key(&o.row_keys, i);
		uint32_t place = work_place(v, &o, i);

		if (place)
			add_row(&v->d->work[of[name_of(&o, i)] - 1], &o.cost[key->cost], &o.row[i],
				place);
	}
	put_costs(v, &o, of);
	roof_clear(&o);
}
