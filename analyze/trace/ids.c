/*
 * Wide ids: a hash set of the few that do not fit 31 bits.
 */
#include "analyze/trace/ids.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/die.h"

enum { FIRST_SLOTS = 64 };

void ids_init(struct ids *t)
{
	*t = (struct ids){ 0 };
}

void ids_clear(struct ids *t)
{
	free(t->wide);
	free(t->slot);
	*t = (struct ids){ 0 };
}

static size_t hash_of(uint64_t id)
{
	id *= 0x9e3779b97f4a7c15u;
	return (size_t)(id ^ id >> 29);
}

static void rehash(struct ids *t)
{
	size_t i;

	free(t->slot);
	t->nslot = t->nslot ? t->nslot * 2 : FIRST_SLOTS;
	t->slot = calloc(t->nslot, sizeof(*t->slot));
	if (!t->slot)
		die_oom(t->nslot * sizeof(*t->slot));
	for (i = 0; i < t->n; i++) {
		size_t at = hash_of(t->wide[i]) & (t->nslot - 1);

		while (t->slot[at])
			at = (at + 1) & (t->nslot - 1);
		t->slot[at] = (uint32_t)i + 1;
	}
}

uint32_t ids_pack(struct ids *t, uint64_t id)
{
	size_t at;

	if (id < ID_WIDE)
		return (uint32_t)id;
	if (t->n * 2 >= t->nslot)
		rehash(t);
	at = hash_of(id) & (t->nslot - 1);
	for (; t->slot[at]; at = (at + 1) & (t->nslot - 1))
		if (t->wide[t->slot[at] - 1] == id)
			return ID_WIDE | (t->slot[at] - 1);
	if (t->n >= ID_WIDE - 1)
		die_oom(SIZE_MAX);
	t->wide = array_grow(t->wide, &t->cap, t->n + 1, sizeof(*t->wide));
	t->wide[t->n] = id;
	t->slot[at] = (uint32_t)++t->n;
	return ID_WIDE | (uint32_t)(t->n - 1);
}
