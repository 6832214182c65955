/*
 * Ranking: sort, cut, arrange columns.  Nothing here knows what the columns mean.
 */
#include "analyze/answer/top/top_rank.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/columns/args.h"
#include "base/compare3.h"
#include "base/minmax.h"
#include "base/saturate.h"

enum { PS_PER_NS = 1000 };

static int64_t average(nsec total, uint32_t calls)
{
	__int128 v = calls ? (__int128)total * PS_PER_NS / calls : 0;

	return v > INT64_MAX ? INT64_MAX : (int64_t)v;
}

int64_t top_value(const struct top_group *g, enum top_key key)
{
	switch (key) {
	case TOP_SELF_CPU: return g->self;
	case TOP_CPU_TOTAL: return g->total;
	case TOP_CPU_AVG: return average(g->total, g->calls);
	case TOP_SELF_DEVICE: return g->device_self;
	case TOP_DEVICE_TOTAL: return g->device_total;
	case TOP_DEVICE_AVG: return average(g->device_total, g->calls + g->replays);
	case TOP_CALLS: return (int64_t)g->calls + g->replays;
	case TOP_FLOPS: return g->flops < 9e18 ? saturate_whole(g->flops) : INT64_MAX;
	case TOP_SELF_DEVICE_BYTES: return g->bytes;
	default: return 0;
	}
}

int64_t top_use_value(const struct top_use *use, const struct top_group *g, enum top_key key)
{
	switch (key) {
	case TOP_CPU_BYTES: return use->total.cpu;
	case TOP_SELF_CPU_BYTES: return use->self.cpu;
	case TOP_DEVICE_BYTES: return use->total.device;
	case TOP_SELF_DEVICE_BYTES: return use->self.device;
	default: return top_value(g, key);
	}
}

static int compare(const void *pa, const void *pb)
{
	const struct top_place *a = pa, *b = pb;
	int c;

	if (a->value != b->value)
		return compare3(b->value, a->value);
	c = span_cmp(a->name, b->name);
	if (c)
		return c;
	return compare3(a->group, b->group);
}

void top_rank_init(struct top_rank *r, struct top *t, struct top_groups *g, enum top_key key,
	struct span (*name)(const struct top *t, const struct top_group *g))
{
	size_t i;

	*r = (struct top_rank){ .n = g->n };
	r->all.bytes = r->rest.bytes = ARG_UNKNOWN;
	r->place = arena_array(&t->at->mem, g->n, sizeof(*r->place));
	for (i = 0; i < g->n; i++)
		r->place[i] = (struct top_place){ g->use ? top_use_value(&g->use[i], &g->g[i], key)
							 : top_value(&g->g[i], key),
			name(t, &g->g[i]), (uint32_t)i };
	if (g->n)
		qsort(r->place, g->n, sizeof(*r->place), compare);
	r->shown = MIN(g->n, t->limit);
	for (i = 0; i < g->n; i++) {
		top_group_merge(&r->all, &g->g[r->place[i].group]);
		if (i >= r->shown)
			top_group_merge(&r->rest, &g->g[r->place[i].group]);
	}
}

void top_columns_without(struct top_columns *c, struct arena *mem, const struct column *base,
	size_t n, const uint8_t *visible, size_t nvisible, uint64_t without)
{
	bool seen[TOP_COLUMNS_MAX] = { false };
	size_t i;

	assert(n <= TOP_COLUMNS_MAX);
	c->col = arena_array(mem, n, sizeof(*c->col));
	c->n = 0;
	for (i = 0; i < nvisible; i++) {
		seen[visible[i]] = true;
		c->at[visible[i]] = (uint8_t)c->n;
		c->col[c->n++] = base[visible[i]];
	}
	for (i = 0; i < n; i++) {
		if (seen[i] || without >> i & 1)
			continue;
		c->at[i] = (uint8_t)c->n;
		c->col[c->n] = base[i];
		c->col[c->n++].flags |= COLUMN_HIDDEN;
	}
}

void top_columns_init(struct top_columns *c, struct arena *mem, const struct column *base, size_t n,
	const uint8_t *visible, size_t nvisible)
{
	top_columns_without(c, mem, base, n, visible, nvisible, 0);
}
