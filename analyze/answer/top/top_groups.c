/*
 * Groups: a keymap with, in front of it, the last group seen of each name.
 *
 * Nearly every name has one group, so nearly every look-up ends at the front.
 */
#include "analyze/answer/top/top_groups.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/trace/columns/args.h"
#include "base/saturate.h"
#include "base/zeroed.h"

enum { FIRST_USES = 64 };

static bool same(struct top_id a, struct top_id b)
{
	return a.ab == b.ab && a.kind == b.kind;
}

void top_groups_init(struct top_groups *t, size_t na)
{
	*t = (struct top_groups){ .na = na };
	keymap_init(&t->by_id, sizeof(uint64_t[2]));
	t->recent = zeroed(na, sizeof(uint32_t));
}

void top_groups_clear(struct top_groups *t)
{
	free(t->g);
	free(t->use);
	keymap_clear(&t->by_id);
	free(t->recent);
	*t = (struct top_groups){ 0 };
}

uint32_t top_groups_find(struct top_groups *t, struct top_id id)
{
	uint64_t key[] = { id.ab, id.kind };
	uint32_t at = t->recent[top_id_a(id)];

	if (at && same(t->g[at - 1].id, id))
		return at - 1;
	at = keymap_find(&t->by_id, key);
	if (at == KEYMAP_NONE)
		return TOP_NO_GROUP;
	t->recent[top_id_a(id)] = at + 1;
	return at;
}

uint32_t top_groups_add(struct top_groups *t, struct top_id id, uint32_t row)
{
	uint64_t key[] = { id.ab, id.kind };
	uint32_t at = top_groups_find(t, id);

	if (at != TOP_NO_GROUP)
		return at;
	(void)keymap_add(&t->by_id, key);
	t->g = array_grow(t->g, &t->cap, t->n + 1, sizeof(*t->g));
	t->g[t->n] =
		(struct top_group){ .id = id, .row = row, .min = INT64_MAX, .bytes = ARG_UNKNOWN };
	t->n++;
	if (t->use) {
		t->use = array_grow(t->use, &t->use_cap, t->n, sizeof(*t->use));
		t->use[t->n - 1] = (struct top_use){ 0 };
	}
	t->recent[top_id_a(id)] = (uint32_t)t->n;
	return (uint32_t)t->n - 1;
}

struct top_group *top_groups_at(struct top_groups *t, struct top_id id, uint32_t row)
{
	uint32_t at = top_groups_add(t, id, row);

	return &t->g[at];
}

void top_groups_use(struct top_groups *t)
{
	t->use = array_grow(t->use, &t->use_cap, t->n + FIRST_USES, sizeof(*t->use));
	memset(t->use, 0, t->n * sizeof(*t->use));
}

void top_group_merge(struct top_group *a, const struct top_group *b)
{
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
}
