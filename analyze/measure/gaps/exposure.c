/* Exposure: one sweep with a clock that stands still while something hides. */
#include "analyze/measure/gaps/exposure.h"

void exposure_init(struct exposure *x, void *const *items, size_t offset, size_t stride)
{
	*x = (struct exposure){ .items = items,
		.offset = offset,
		.stride = stride,
		.at = INT64_MIN,
		.hidden = INT64_MIN };
}

static struct exposure_group *group_at(const struct exposure *x, uint32_t id)
{
	return (void *)((char *)*x->items + id * x->stride + x->offset);
}

static void close_group(struct exposure *x, uint32_t id)
{
	struct exposure_group *g = group_at(x, id);

	saturate_onto(&g->union_ns, saturate_sub(g->end, g->start));
	saturate_onto(&g->exposed_ns, saturate_sub(x->clock, g->clock));
	g->is_open = false;
}

/* Each with the clock at its own end. */
void exposure_close(struct exposure *x, nsec t)
{
	while (x->inflight.n > 0 && x->inflight.v[0].end <= t) {
		struct inflight_item item = inflight_pop(&x->inflight);
		const struct exposure_group *g = group_at(x, item.id);

		if (!g->is_open || g->end != item.end)
			continue;
		exposure_tick(x, item.end);
		close_group(x, item.id);
	}
}

void exposure_show(struct exposure *x, uint32_t group, nsec start, nsec end)
{
	struct exposure_group *g = group_at(x, group);

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
