/*
 * `roofline`: rows of the run's roofs into rows of the table.
 */
#include <stdlib.h>

#include "analyze/answer/roofline/roofline.h"
#include "analyze/trace/run.h"

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

static void add_row(struct roofline *x, uint32_t i)
{
	const struct roof_row_key *key = keymap_key(&x->roof.row_keys, i);
	const struct roof_row *row = &x->roof.row[i];
	const struct roof_cost *c = &x->roof.cost[key->cost];
	const struct roofline_key group = key_of(x, key, c);
	struct roofline_group *g = group_of(x, &group, key, c);

	roof_sum_add(&g->sum, c, &x->roof.peaks[key->device], row->calls, row->busy, row->own);
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
