/*
 * A map from stored ids (ids.h) to rows: an array where the ids lie close together, else a hash
 * table.
 */
#ifndef ANALYZE_STORE_IDMAP_H
#define ANALYZE_STORE_IDMAP_H

#include <stddef.h>
#include <stdint.h>

struct idmap_entry;

struct idmap {
	uint32_t *direct; /* by id - first: 1 + value, 0 = free; NULL when hashed */
	uint32_t first;
	struct idmap_entry *entry; /* open addressing; at most half full */
	size_t n;                  /* slots of either */
	uint64_t seed;
};

/*
 * An empty map for the ids in id[0..n), 0 meaning none; id may be NULL when n is 0.  Memory: at
 * most 16 bytes an id.  The caller releases it with idmap_clear.
 */
void idmap_init(struct idmap *m, const uint32_t *id, size_t n);
void idmap_clear(struct idmap *m);

/* The place of an id that was among those given to idmap_init, not 0: holds 0 when new, else 1 +
 * value. */
uint32_t *idmap_slot(struct idmap *m, uint32_t id);

/* The value of any id, or NO_ROW. */
uint32_t idmap_get(const struct idmap *m, uint32_t id);

#endif
