/*
 * Digest of work: calls of an op that have the same arguments and the same work, so that two runs
 * can be told apart by how much they do and by how fast they do it.
 */
#include <math.h>
#include <stdlib.h>

#include "analyze/job/digest/digest_gather.h"
#include "analyze/costmodel/roof.h"
#include "analyze/trace/run.h"
#include "base/compare3.h"
#include "base/saturate.h"

uint32_t digest_work_place(const struct digest_view *v, const struct roof *o, uint32_t row)
{
	const struct roof_row_key *key = keymap_key(&o->row_keys, row);

	return key->step == 0 || key->step > o->nstep ? 0 : v->place[key->step - 1];
}

static int by_key(const void *pa, const void *pb)
{
	const struct digest_cost *a = pa, *b = pb;

	return COMPARE_BY(compare3(a->work, b->work), span_cmp(a->dims, b->dims),
		compare3(a->flop, b->flop), compare3(a->bytes, b->bytes), compare3(a->why, b->why));
}

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
	size_t i, n = 0;

	if (d->ncost > 1)
		qsort(d->cost, d->ncost, sizeof(*d->cost), by_key);
	for (i = 0; i < d->ncost; i++) {
		struct digest_cost *c = &d->cost[i], *last = n > 0 ? &d->cost[n - 1] : NULL;

		if (!last || by_key(last, c) != 0) {
			d->cost[n++] = *c;
			continue;
		}
		saturate_onto(&last->calls, c->calls);
		saturate_onto(&last->ns, c->ns);
	}
	d->ncost = n;
	for (i = 0; i < n; i++)
		d->cost[i].dims.p = arena_copy(&d->mem, d->cost[i].dims.p, d->cost[i].dims.n);
}

void digest_cost(struct digest_view *v, const struct roof *o, const uint32_t *of)
{
	uint32_t *at = arena_array(&v->scratch, o->keys.n + 1, sizeof(*at)), i;
	struct digest *d = v->d;

	d->cost = arena_array(&d->mem, o->keys.n, sizeof(*d->cost));
	for (i = 0; i < o->row_keys.n; i++) {
		const struct roof_row_key *row = keymap_key(&o->row_keys, i);
		const struct roof_key *key = keymap_key(&o->keys, row->cost);
		struct digest_cost *c;

		if (!digest_work_place(v, o, i))
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
