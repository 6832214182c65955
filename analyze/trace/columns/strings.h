/* Interning: every distinct text of a run once, known by a small number.
 *
 * Ids are given in the order of first sight, so they depend on the file alone.  Bytes are stored as
 * they were written after JSON unescaping: possibly invalid UTF-8, possibly control characters. */
#pragma once

#include "base/base.h"

typedef uint32_t sym; /* id of an interned text; 0 is "" */

struct strings {
	struct span *text; /* by sym; bytes owned by mem */
	size_t n, cap;
	uint32_t *slot; /* open addressing; 0 = free, else sym + 1 */
	uint32_t *hash; /* by sym: upper half of the hash, to skip most comparisons */
	size_t nslot;
	uint64_t seed; /* hashing is seeded: crafted collisions do not work */
	struct arena mem;
};

/* seed: any number; the ids do not depend on it. */
void strings_init(struct strings *s, uint64_t seed);
void strings_clear(struct strings *s);

/* The hash strings_intern_hashed wants, for callers that have a table of their own in front. */
uint64_t strings_hash(const struct strings *s, struct span text);

/* The id of that text, new or old.  The bytes are copied.  At most UINT32_MAX - 1 texts. */
sym strings_intern(struct strings *s, struct span text);
sym strings_intern_hashed(struct strings *s, struct span text, uint64_t hash);

/* The id of that text, or UINT32_MAX when it was never interned. */
sym strings_find(const struct strings *s, struct span text);

/* The text of id; bytes live as long as s. */
struct span strings_get(const struct strings *s, sym id);
