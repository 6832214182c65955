/*
 * Correlation and External ids in 32 bits: small ones as they are, wide ones by index.
 *
 * CUPTI's ids fit 31 bits; ROCm's, Ascend's and remapped ones may not.  An id >= 2^31 is kept in a
 * table of distinct wide ids and stored as 0x80000000 | index, so equality of stored ids is
 * equality of ids.
 */
#ifndef ANALYZE_TRACE_IDS_H
#define ANALYZE_TRACE_IDS_H

#include <stddef.h>
#include <stdint.h>

#define ID_WIDE 0x80000000u

struct ids {
	uint64_t *wide;
	size_t n, cap;
	uint32_t *slot;
	size_t nslot;
};

void ids_init(struct ids *t);
void ids_clear(struct ids *t);
/* The stored form of id; 0 stays 0.  At most 2^31 - 1 distinct wide ids. */
uint32_t ids_pack(struct ids *t, uint64_t id);

#endif
