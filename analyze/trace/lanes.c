/*
 * Lanes: a small table with a hash in front; a run has tens of them, a hostile file 100,000.
 */
#include "analyze/trace/lanes.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/arena.h"
#include "base/die.h"

enum { FIRST_SLOTS = 16 };

void lanes_init(struct lanes *l)
{
	*l = (struct lanes){ .nslot = FIRST_SLOTS };
	l->slot = calloc(l->nslot, sizeof(*l->slot));
	if (!l->slot)
		die_oom(l->nslot * sizeof(*l->slot));
}

void lanes_clear(struct lanes *l)
{
	free(l->lane);
	free(l->slot);
	*l = (struct lanes){ 0 };
}

static size_t hash_of(const struct lane *k)
{
	int64_t key[5] = { k->pid, k->tid, k->is_device, k->device, k->stream };

	return (size_t)XXH3_64bits(key, sizeof(key));
}

static bool same(const struct lane *a, const struct lane *b)
{
	return a->pid == b->pid && a->tid == b->tid && a->is_device == b->is_device &&
		a->device == b->device && a->stream == b->stream;
}

static void rehash(struct lanes *l)
{
	size_t i;

	free(l->slot);
	l->nslot *= 2;
	l->slot = calloc(l->nslot, sizeof(*l->slot));
	if (!l->slot)
		die_oom(l->nslot * sizeof(*l->slot));
	for (i = 0; i < l->n; i++) {
		size_t at = hash_of(&l->lane[i]) & (l->nslot - 1);

		while (l->slot[at])
			at = (at + 1) & (l->nslot - 1);
		l->slot[at] = (uint32_t)i + 1;
	}
}

uint32_t lanes_add(struct lanes *l, const struct lane *key)
{
	size_t at = hash_of(key) & (l->nslot - 1);

	for (; l->slot[at]; at = (at + 1) & (l->nslot - 1))
		if (same(&l->lane[l->slot[at] - 1], key))
			return l->slot[at] - 1;
	l->lane = array_grow(l->lane, &l->cap, l->n + 1, sizeof(*l->lane));
	l->lane[l->n] = *key;
	l->lane[l->n].process_name = l->lane[l->n].process_labels = l->lane[l->n].thread_name = 0;
	l->slot[at] = (uint32_t)++l->n;
	if (l->n * 2 > l->nslot)
		rehash(l);
	return (uint32_t)l->n - 1;
}

int64_t lane_number(struct span text)
{
	bool negative = text.n > 0 && text.p[0] == '-';
	size_t i = negative;
	uint64_t v = 0;

	if (text.n - i == 0 || text.n - i > 18 || (text.p[i] == '0' && text.n - i > 1))
		return LANE_NO_NUMBER;
	if (negative && text.p[i] == '0')
		return LANE_NO_NUMBER;
	for (; i < text.n; i++) {
		if (text.p[i] < '0' || text.p[i] > '9')
			return LANE_NO_NUMBER;
		v = v * 10 + (uint64_t)(text.p[i] - '0');
	}
	return negative ? -(int64_t)v : (int64_t)v;
}
