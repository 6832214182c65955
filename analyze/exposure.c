/*
 * Exposure: one sweep with a clock that stands still while something hides.
 */
#include "analyze/exposure.h"

#include <stdlib.h>

#include "analyze/saturate.h"

void exposure_init(struct exposure *x, struct exposure_group *group)
{
	*x = (struct exposure){ .group = group, .at = INT64_MIN, .hidden = INT64_MIN };
}

/* Moves the clock to t. */
static void tick(struct exposure *x, nsec t)
{
	nsec from = x->hidden > x->at ? x->hidden : x->at;

	/* Before the first interval there is nothing that the clock could be read for. */
	if (x->at != INT64_MIN && t > from)
		x->clock = saturate_add(x->clock, saturate_sub(t, from));
	x->at = t;
}

static void close_group(struct exposure *x, uint32_t id)
{
	struct exposure_group *g = &x->group[id];

	g->union_ns = saturate_add(g->union_ns, saturate_sub(g->end, g->start));
	g->exposed_ns = saturate_add(g->exposed_ns, saturate_sub(x->clock, g->clock));
	g->is_open = false;
}

/* Closes the groups that end up to t, each with the clock at its own end. */
static void close_until(struct exposure *x, nsec t)
{
	while (x->ends.n > 0 && x->ends.v[0].end <= t) {
		struct ends_item item = ends_pop(&x->ends);
		const struct exposure_group *g = &x->group[item.id];

		if (!g->is_open || g->end != item.end)
			continue;
		tick(x, item.end);
		close_group(x, item.id);
	}
}

static void advance(struct exposure *x, nsec t)
{
	close_until(x, t);
	tick(x, t);
}

void exposure_hide(struct exposure *x, nsec start, nsec end)
{
	if (end <= start)
		return;
	advance(x, start);
	x->hidden = end > x->hidden ? end : x->hidden;
}

void exposure_show(struct exposure *x, uint32_t group, nsec start, nsec end)
{
	struct exposure_group *g = &x->group[group];

	if (end <= start)
		return;
	advance(x, start);
	if (!g->is_open) {
		g->is_open = true;
		g->start = start;
		g->clock = x->clock;
	} else if (end <= g->end) {
		return;
	}
	g->end = end;
	ends_push(&x->ends, (struct ends_item){ .end = end, .id = group });
}

void exposure_end(struct exposure *x)
{
	close_until(x, INT64_MAX);
	ends_clear(&x->ends);
}

void exposure_groups_init(struct exposure_groups *g, size_t key_size)
{
	*g = (struct exposure_groups){ 0 };
	keymap_init(&g->keys, key_size);
}

void exposure_groups_clear(struct exposure_groups *g)
{
	keymap_clear(&g->keys);
	free(g->exposed);
}

void exposure_groups_begin(struct exposure_groups *g)
{
	exposure_init(&g->exposure, g->exposed);
}

uint32_t exposure_groups_at(struct exposure_groups *g, const void *key)
{
	size_t before = g->keys.n;
	uint32_t at = keymap_add(&g->keys, key);

	if (g->keys.n > before) {
		g->exposed = array_grow(g->exposed, &g->cap, g->keys.n, sizeof(*g->exposed));
		g->exposed[at] = (struct exposure_group){ 0 };
		g->exposure.group = g->exposed;
	}
	return at;
}
