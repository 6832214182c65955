/*
 * Correlation and External ids in 32 bits: small ones as they are, wide ones by index.
 *
 * CUPTI's ids fit 31 bits; ROCm's, Ascend's and remapped ones may not.  An id >= 2^31 is kept in a
 * table of distinct wide ids and stored as 0x80000000 | index, so equality of stored ids is
 * equality of ids.
 */
#ifndef ANALYZE_TRACE_COLUMNS_IDS_H
#define ANALYZE_TRACE_COLUMNS_IDS_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/trace/columns/keymap.h"

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

#endif
