/*
 * Groups: a hash table with, in front of it, the last group seen of each name.
 *
 * Nearly every name has one group, so nearly every look-up ends at the front.
 */
#include "analyze/answer/top/top_groups.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/measure/saturate.h"
#include "analyze/trace/args.h"
#include "base/zeroed.h"

enum { FIRST_SLOTS = 256, FIRST_USES = 64 };

static bool same(struct top_id a, struct top_id b)
{
	return a.ab == b.ab && a.kind == b.kind;
}

static size_t hash(struct top_id id)
{
	uint64_t h = id.ab ^ id.kind << 58;

	h = (h ^ h >> 31) * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return (size_t)(h ^ h >> 32);
}

void top_groups_init(struct top_groups *t, size_t na)
{
	*t = (struct top_groups){ .nslot = FIRST_SLOTS, .na = na };
	t->slot = zeroed(t->nslot, sizeof(uint32_t));
	t->recent = zeroed(na, sizeof(uint32_t));
}

void top_groups_clear(struct top_groups *t)
{
	free(t->g);
	free(t->use);
	free(t->slot);
	free(t->recent);
	*t = (struct top_groups){ 0 };
}

/* The slot of id, or the free one where it belongs. */
static size_t probe(const struct top_groups *t, struct top_id id)
{
	size_t i = hash(id) & (t->nslot - 1);

	while (t->slot[i] && !same(t->g[t->slot[i] - 1].id, id))
		i = (i + 1) & (t->nslot - 1);
	return i;
}

static void grow(struct top_groups *t)
{
	size_t i;

	free(t->slot);
	t->nslot *= 2;
	t->slot = zeroed(t->nslot, sizeof(uint32_t));
	for (i = 0; i < t->n; i++)
		t->slot[probe(t, t->g[i].id)] = (uint32_t)i + 1;
}

uint32_t top_groups_find(struct top_groups *t, struct top_id id)
{
	uint32_t at = t->recent[top_id_a(id)];

	if (at && same(t->g[at - 1].id, id))
		return at - 1;
	at = t->slot[probe(t, id)];
	if (at)
		t->recent[top_id_a(id)] = at;
	return at ? at - 1 : TOP_NO_GROUP;
}

uint32_t top_groups_add(struct top_groups *t, struct top_id id, uint32_t row)
{
	uint32_t at = top_groups_find(t, id);

	if (at != TOP_NO_GROUP)
		return at;
	if ((t->n + 1) * 2 > t->nslot)
		grow(t);
	t->g = array_grow(t->g, &t->cap, t->n + 1, sizeof(*t->g));
	t->g[t->n] =
		(struct top_group){ .id = id, .row = row, .min = INT64_MAX, .bytes = ARG_UNKNOWN };
	t->n++;
	if (t->use) {
		t->use = array_grow(t->use, &t->use_cap, t->n, sizeof(*t->use));
		t->use[t->n - 1] = (struct top_use){ 0 };
	}
	t->slot[probe(t, id)] = (uint32_t)t->n;
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
	a->total = saturate_add(a->total, b->total);
	a->total_dedup = saturate_add(a->total_dedup, b->total_dedup);
	a->self = saturate_add(a->self, b->self);
	a->self_dedup = saturate_add(a->self_dedup, b->self_dedup);
	a->self_ops = saturate_add(a->self_ops, b->self_ops);
	a->device_self = saturate_add(a->device_self, b->device_self);
	a->device_total = saturate_add(a->device_total, b->device_total);
	if (b->bytes != ARG_UNKNOWN)
		a->bytes = saturate_add(a->bytes == ARG_UNKNOWN ? 0 : a->bytes, b->bytes);
}
