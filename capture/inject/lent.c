/*
 * Which buffers are out: a table by address, with no gaps in its runs.
 */
#include "capture/inject/lent.h"

#include <stdlib.h>
#include <string.h>

enum { LENT_MAX = LENT_SLOTS / 4 * 3 };

bool lent_init(struct lent *l)
{
	*l = (struct lent){ .slot = calloc(LENT_SLOTS, sizeof(*l->slot)) };
	(void)pthread_mutex_init(&l->lock, NULL);
	return l->slot;
}

/* Where it belongs; buffers begin at pages. */
static size_t home(const uint8_t *p)
{
	return (size_t)(((uintptr_t)p >> 12) * UINT64_C(0x9e3779b97f4a7c15) >> 40) % LENT_SLOTS;
}

/* Its slot, or the free one it would get. */
static size_t find(const struct lent *l, const uint8_t *p)
{
	size_t i = home(p);

	while (l->slot[i].p && l->slot[i].p != p)
		i = (i + 1) % LENT_SLOTS;
	return i;
}

void lent_put(struct lent *l, uint8_t *p, size_t size)
{
	uint64_t moved = atomic_fetch_add(&l->moves, 1);

	if (!p || !l->slot)
		return;
	(void)pthread_mutex_lock(&l->lock);
	if (l->n < LENT_MAX) {
		struct lent_slot *s = &l->slot[find(l, p)];

		if (!s->p) {
			l->n++;
			atomic_fetch_add(&l->bytes, size);
			*s = (struct lent_slot){ p, size, moved };
		}
	} else {
		l->is_blind = true;
	}
	(void)pthread_mutex_unlock(&l->lock);
}

/* Empties a slot and moves those behind it up, so that each is still found. */
static void empty(struct lent *l, size_t hole)
{
	size_t i = hole;

	for (;;) {
		size_t from;

		l->slot[hole] = (struct lent_slot){ 0 };
		do {
			i = (i + 1) % LENT_SLOTS;
			if (!l->slot[i].p)
				return;
			from = home(l->slot[i].p);
			/* It stays where its home lies between the hole and itself. */
		} while ((i - from) % LENT_SLOTS < (i - hole) % LENT_SLOTS);
		l->slot[hole] = l->slot[i];
		hole = i;
	}
}

bool lent_take(struct lent *l, uint8_t *p, size_t *size)
{
	bool is_ours = false;
	size_t i;

	atomic_fetch_add(&l->moves, 1);
	if (!p)
		return false;
	if (!l->slot)
		return true;
	(void)pthread_mutex_lock(&l->lock);
	i = find(l, p);
	if (l->slot[i].p) {
		is_ours = true;
		*size = l->slot[i].size;
		atomic_fetch_sub(&l->bytes, *size);
		l->n--;
		empty(l, i);
	} else {
		is_ours = l->is_blind;
	}
	(void)pthread_mutex_unlock(&l->lock);
	if (!is_ours)
		atomic_fetch_add(&l->foreign, 1);
	return is_ours;
}

size_t lent_used(struct lent *l, uint64_t before)
{
	size_t i, n = 0;

	if (!l->slot)
		return 0;
	(void)pthread_mutex_lock(&l->lock);
	for (i = 0; i < LENT_SLOTS; i++) {
		uint32_t kind = 0;

		if (!l->slot[i].p || l->slot[i].moved >= before)
			continue;
		memcpy(&kind, l->slot[i].p, sizeof(kind)); /* lent cleared */
		n += kind != 0;
	}
	(void)pthread_mutex_unlock(&l->lock);
	return n;
}
