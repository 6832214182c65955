/* Groups of `top`: their ids, their sums, what they are sorted by. */
#include "analyze/answer/top/top.h"

void top_groups_init(struct groups *g, size_t na)
{
	static const struct top_group fresh = { .min = INT64_MAX, .bytes = ARG_UNKNOWN };

	groups_init(g, sizeof(struct top_id), sizeof(fresh), &fresh, na);
}

uint32_t top_groups_find(struct groups *g, struct top_id id)
{
	return groups_find_near(g, top_id_a(id), &id);
}

void top_group_join(void *to, const void *from)
{
	struct top_group *a = to;
	const struct top_group *b = from;

	a->calls += b->calls;
	a->calls_dedup += b->calls_dedup;
	a->replays += b->replays;
	saturate_onto(&a->total, b->total);
	saturate_onto(&a->total_dedup, b->total_dedup);
	saturate_onto(&a->self, b->self);
	saturate_onto(&a->self_dedup, b->self_dedup);
	saturate_onto(&a->self_ops, b->self_ops);
	saturate_onto(&a->device_self, b->device_self);
	saturate_onto(&a->device_total, b->device_total);
	a->flops += b->flops;
	if (b->bytes != ARG_UNKNOWN)
		a->bytes = saturate_add(a->bytes == ARG_UNKNOWN ? 0 : a->bytes, b->bytes);
	a->all_calls += b->all_calls;
	a->all_dedup += b->all_dedup;
	saturate_onto(&a->main, b->main);
	a->is_additive = a->has_main = b->is_additive;
	a->is_op = true;
	a->has_device = b->run_has_device;
}

void top_groups_finish(const struct top *t, struct groups *groups,
	struct span (*name)(const struct top *t, const struct top_group *g))
{
	for (size_t i = 0; i < groups->n; i++) {
		struct top_group *g = top_group(groups, i);

		g->name = name(t, g);
		g->kind = kind_word((enum kind)g->id.kind);
		g->all_calls = (int64_t)g->calls + g->replays;
		g->all_dedup = (int64_t)g->calls_dedup + g->replays;
		g->is_op = g->id.kind != KIND_RUNTIME;
		g->run_has_device = t->has_device;
		g->has_device = g->is_op && t->has_device;
		g->has_use = t->has_memory;
	}
}

#define ROW struct top_group
static const struct column sorts[] = {
	[TOP_SELF_CPU] = { FROM(self) },
	[TOP_CPU_TOTAL] = { FROM(total) },
	[TOP_CPU_AVG] = { FROM_OVER(total, calls) },
	[TOP_SELF_DEVICE] = { FROM(device_self) },
	[TOP_DEVICE_TOTAL] = { FROM(device_total) },
	[TOP_DEVICE_AVG] = { FROM_OVER(device_total, all_calls) },
	[TOP_CALLS] = { FROM(all_calls) },
	[TOP_FLOPS] = { FROM(flops) },
	[TOP_CPU_BYTES] = { FROM(use.total.cpu) },
	[TOP_SELF_CPU_BYTES] = { FROM(use.self.cpu) },
	[TOP_DEVICE_BYTES] = { FROM(use.total.device) },
	[TOP_SELF_DEVICE_BYTES] = { FROM(use.self.device) },
};

const struct column_from *top_sort(enum top_key key)
{
	return &sorts[key].from;
}
