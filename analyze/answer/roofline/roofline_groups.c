/*
 * `roofline`: rows of the run's roofs into rows of the table.
 */
#include <math.h>
#include <stdlib.h>

#include "analyze/answer/roofline/roofline.h"
#include "analyze/trace/run.h"
#include "base/saturate.h"

_Static_assert(sizeof(struct roofline_key) == 4 * 4 + 2 * 8, "no padding");

static struct roofline_key key_of(
	const struct roofline *x, const struct roof_row_key *row, const struct roof_cost *c)
{
	const struct roof_key *k = keymap_key(&x->roof.keys, row->cost);
	struct roofline_key key = { 0 };

	if (x->by == ROOFLINE_BY_PHASE) {
		key.name = row->phase;
		return key;
	}
	if (x->by == ROOFLINE_BY_MODULE) {
		key.name = row->module;
		return key;
	}
	key.name = k->name;
	key.is_kernel = k->flags & ROOF_IS_KERNEL;
	if (x->by == ROOFLINE_BY_SHAPE) {
		key.dims = k->dims;
		key.types = k->types;
		key.flop = c->work.flop;
		key.bytes = c->work.bytes;
	}
	return key;
}

static struct roofline_group *group_of(struct roofline *x, const struct roofline_key *key,
	const struct roof_row_key *row, const struct roof_cost *c)
{
	size_t before = x->keys.n;
	uint32_t at = keymap_add(&x->keys, key);
	struct roofline_group *g;
	const struct roof_cost *first;

	if (x->keys.n > before) {
		x->group = array_grow(x->group, &x->cap, x->keys.n, sizeof(*x->group));
		x->group[at] = (struct roofline_group){ .cost = row->cost, .phase = row->phase };
	}
	g = &x->group[at];
	first = &x->roof.cost[g->cost];
	g->is_mixed |= first->work.flop != c->work.flop || first->work.bytes != c->work.bytes;
	return g;
}

static void add_roof(
	struct roofline_group *g, const struct roof_limit *l, const struct roof_row *row)
{
	double ns = l->ns * (double)row->calls;

	if (isnan(l->ns))
		return;
	saturate_onto(&g->roof_busy, row->busy);
	g->at_roof += ns;
	if (l->compute_ns >= l->memory_ns)
		g->at_compute += ns;
}

static void add_row(struct roofline *x, uint32_t i)
{
	const struct roof_row_key *key = keymap_key(&x->roof.row_keys, i);
	const struct roof_row *row = &x->roof.row[i];
	const struct roof_cost *c = &x->roof.cost[key->cost];
	const struct roof_work *w = &c->work;
	const struct roofline_key group = key_of(x, key, c);
	struct roofline_group *g = group_of(x, &group, key, c);
	struct roof_limit l = roof_limit_of(&x->roof.peaks[key->device], c);

	g->calls += row->calls;
	saturate_onto(&g->busy, row->busy);
	saturate_onto(&g->own, row->own);
	saturate_onto(&g->why[w->why], row->own);
	if (w->flop >= 0) {
		saturate_onto(&g->flop, saturate_times(w->flop, row->calls));
		saturate_onto(&g->flop_busy, row->busy);
	}
	if (w->bytes >= 0) {
		saturate_onto(&g->bytes, saturate_times(w->bytes, row->calls));
		saturate_onto(&g->bytes_busy, row->busy);
	}
	if (w->flop >= 0 && w->bytes >= 0) {
		g->both_flop += (double)w->flop * (double)row->calls;
		g->both_bytes += (double)w->bytes * (double)row->calls;
	}
	add_roof(g, &l, row);
}

void roofline_groups(struct roofline *x)
{
	uint32_t i;

	keymap_init(&x->keys, sizeof(struct roofline_key));
	for (i = 0; i < x->roof.row_keys.n; i++) {
		const struct roof_row_key *key = keymap_key(&x->roof.row_keys, i);
		const struct roof_key *k = keymap_key(&x->roof.keys, key->cost);

		if (filter_name(&x->p->view, k->name))
			add_row(x, i);
	}
}
