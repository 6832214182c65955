/*
 * Exposure: one sweep with a clock that stands still while something hides.
 */
#include "analyze/measure/gaps/exposure.h"
#include "base/saturate.h"

#include <stdlib.h>

void exposure_init(struct exposure *x, struct exposure_group *group)
{
	*x = (struct exposure){ .group = group, .at = INT64_MIN, .hidden = INT64_MIN };
}

static void close_group(struct exposure *x, uint32_t id)
{
	struct exposure_group *g = &x->group[id];

	saturate_onto(&g->union_ns, saturate_sub(g->end, g->start));
	saturate_onto(&g->exposed_ns, saturate_sub(x->clock, g->clock));
	g->is_open = false;
}

/* Each with the clock at its own end. */
void exposure_close(struct exposure *x, nsec t)
{
	while (x->inflight.n > 0 && x->inflight.v[0].end <= t) {
		struct inflight_item item = inflight_pop(&x->inflight);
		const struct exposure_group *g = &x->group[item.id];

		if (!g->is_open || g->end != item.end)
			continue;
		exposure_tick(x, item.end);
		close_group(x, item.id);
	}
}

void exposure_show(struct exposure *x, uint32_t group, nsec start, nsec end)
{
	struct exposure_group *g = &x->group[group];

	if (end <= start)
		return;
	exposure_advance(x, start);
	if (!g->is_open) {
		g->is_open = true;
		g->start = start;
		g->clock = x->clock;
	} else if (end <= g->end) {
		return;
	}
	g->end = end;
	inflight_push(&x->inflight, (struct inflight_item){ .end = end, .id = group });
}

void exposure_end(struct exposure *x)
{
	exposure_close(x, INT64_MAX);
	inflight_clear(&x->inflight);
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
