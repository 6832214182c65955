/* Open addressing over indexes; xxHash, seeded, since keys come from files. */
#include "analyze/trace/columns/keymap.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FIRST_SLOTS = 16, KEPT_SLOTS = 1 << 14 };
static const uint64_t seed = 0x6b65796d61707171u;

void keymap_init(struct keymap *m, size_t key_size)
{
	*m = (struct keymap){ .size = key_size, .nslot = FIRST_SLOTS };
	m->slot = zeroed(m->nslot, sizeof(uint32_t));
}

void keymap_clear(struct keymap *m)
{
	FREE_ALL(m->key, m->slot);
	*m = (struct keymap){ 0 };
}

void keymap_empty(struct keymap *m)
{
	if (m->nslot > KEPT_SLOTS) { /* filled by something hostile */
		size_t size = m->size;

		keymap_clear(m);
		keymap_init(m, size);
		return;
	}
	memset(m->slot, 0, m->nslot * sizeof(*m->slot));
	m->n = 0;
	m->recent = 0;
}

const void *keymap_key(const struct keymap *m, uint32_t index)
{
	return (const char *)m->key + index * m->size;
}

/* Two fields are what most keys are: those are compared here and now. */
static bool is_key(const struct keymap *m, uint32_t index, const void *key)
{
	const void *known = keymap_key(m, index);
	uint64_t a, b;

	if (m->size != sizeof(a))
		return memcmp(known, key, m->size) == 0;
	memcpy(&a, known, sizeof(a));
	memcpy(&b, key, sizeof(b));
	return a == b;
}

/* The slot of key, or the free one where it belongs. */
static size_t probe(const struct keymap *m, const void *key)
{
	size_t mask = m->nslot - 1;
	size_t at = (size_t)XXH3_64bits_withSeed(key, m->size, seed) & mask;

	while (m->slot[at] && !is_key(m, m->slot[at] - 1, key))
		at = (at + 1) & mask;
	return at;
}

static void grow(struct keymap *m)
{
	free(m->slot);
	m->nslot *= 2;
	m->slot = zeroed(m->nslot, sizeof(uint32_t));
	for (uint32_t i = 0; i < m->n; i++)
		m->slot[probe(m, keymap_key(m, i))] = i + 1;
}

uint32_t keymap_find(struct keymap *m, const void *key)
{
	if (m->n && is_key(m, m->recent, key))
		return m->recent;
	size_t at = probe(m, key);
	if (!m->slot[at])
		return KEYMAP_NONE;
	m->recent = m->slot[at] - 1;
	return m->recent;
}

uint32_t keymap_add(struct keymap *m, const void *key)
{
	uint32_t at = keymap_find(m, key);

	if (at != KEYMAP_NONE)
		return at;
	if ((m->n + 1) * 2 > m->nslot)
		grow(m);
	m->key = array_grow(m->key, &m->cap, m->n + 1, m->size);
	memcpy((char *)m->key + m->n * m->size, key, m->size);
	m->slot[probe(m, key)] = (uint32_t)m->n + 1;
	m->n++;
	m->recent = (uint32_t)m->n - 1;
	return m->recent;
}

void valuemap_init(struct valuemap *m, size_t key_size, size_t value_size)
{
	*m = (struct valuemap){ .size = value_size };
	keymap_init(&m->key, key_size);
}

void valuemap_clear(struct valuemap *m)
{
	keymap_clear(&m->key);
	free(m->value);
	m->value = NULL;
}

void *valuemap_slot(struct valuemap *m, const void *key, bool *is_new)
{
	size_t before = m->key.n;
	uint32_t at = keymap_add(&m->key, key);

	m->value = array_grow(m->value, &m->cap, m->key.n, m->size);
	char *value = (char *)m->value + at * m->size;
	if (m->key.n > before)
		memset(value, 0, m->size);
	if (is_new)
		*is_new = m->key.n > before;
	return value;
}

void *valuemap_find(struct valuemap *m, const void *key)
{
	uint32_t at = keymap_find(&m->key, key);

	return at == KEYMAP_NONE ? NULL : (char *)m->value + at * m->size;
}
