/* Sets of ids, held as ranges: ids are mostly numbered without gaps. */
#pragma once

#include "base/base.h"

struct idrange {
	uint64_t lo, hi; /* both included */
};

/* Zero-initialise; idset_clear frees. */
struct idset {
	struct idrange *v;
	size_t n, cap, sealed; /* the first `sealed` ranges are in order and apart */
};

/* In any order, also again. */
void idset_add(struct idset *s, uint64_t id);

/* To be called between the last idset_add and the first idset_has. */
void idset_seal(struct idset *s);

/* O(log ranges); any number of threads. */
bool idset_has(const struct idset *s, uint64_t id);

void idset_clear(struct idset *s);
