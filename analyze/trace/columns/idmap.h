/* A map from stored ids to rows: an array where the ids lie close together, else a hash table. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "analyze/trace/columns/keymap.h"
#include "base/base.h"

struct idmap_entry;

struct idmap {
	uint32_t *direct;          /* by id - first: 1 + value, 0 = free; NULL when hashed */
	uint32_t first;            /* never 0 */
	struct idmap_entry *entry; /* open addressing; at most half full */
	size_t n;                  /* slots of either */
	uint64_t seed;
};

/* A map for the ids in id[0..n), 0 meaning none; id may be NULL when n is 0.  None has a value yet.
 * Memory: at most 32 bytes an id.  The caller releases it with idmap_clear. */
void idmap_init(struct idmap *m, const uint32_t *id, size_t n);
void idmap_clear(struct idmap *m);

/* idmap_slot where the ids are hashed. */
uint32_t *idmap_hashed(const struct idmap *m, uint32_t id);

/* The place of an id: holds 0 when it has no value yet, else 1 + value.  NULL for 0 and for ids
 * that were not given to idmap_init (the array form has places for those between them, too). */
static inline uint32_t *idmap_slot(const struct idmap *m, uint32_t id)
{
	if (UNLIKELY(!m->direct))
		return idmap_hashed(m, id);
	return id >= m->first && id - m->first < m->n ? &m->direct[id - m->first] : NULL;
}

/* The value of an id, or NO_ROW. */
static inline uint32_t idmap_get(const struct idmap *m, uint32_t id)
{
	const uint32_t *slot = idmap_slot(m, id);

	return slot && *slot != 0 ? *slot - 1 : NO_ROW;
}

/* Correlation and External ids in 32 bits: small ones as they are, wide ones by index.
 *
 * CUPTI's ids fit 31 bits; ROCm's, Ascend's and remapped ones may not.  An id >= 2^31 is kept in a
 * table of distinct wide ids and stored as 0x80000000 | index, so equality of stored ids is
 * equality of ids. */

#define ID_WIDE 0x80000000u

struct ids {
	struct keymap wide; /* uint64_t; of no size until there is one */
};

void ids_init(struct ids *t);
void ids_clear(struct ids *t);
/* The stored form of id; 0 stays 0.  At most 2^31 - 1 distinct wide ids. */
uint32_t ids_pack(struct ids *t, uint64_t id);
/* The id whose stored form is ID_WIDE | index; index < wide.n. */
uint64_t ids_wide(const struct ids *t, size_t index);
/* The id of that stored form. */
uint64_t ids_unpack(const struct ids *t, uint32_t stored);
