/*
 * Wide ids: the few that do not fit 31 bits, numbered.
 */
#include "analyze/trace/columns/ids.h"

#include "base/die.h"

void ids_init(struct ids *t)
{
	*t = (struct ids){ 0 };
}

void ids_clear(struct ids *t)
{
	keymap_clear(&t->wide);
}

uint32_t ids_pack(struct ids *t, uint64_t id)
{
	uint32_t index;

	if (id < ID_WIDE)
		return (uint32_t)id;
	if (!t->wide.size)
		keymap_init(&t->wide, sizeof(id));
	index = keymap_add(&t->wide, &id);
	if (index >= ID_WIDE - 1)
		die_oom(SIZE_MAX);
	return ID_WIDE | index;
}

uint64_t ids_wide(const struct ids *t, size_t index)
{
	return *(const uint64_t *)keymap_key(&t->wide, (uint32_t)index);
}
