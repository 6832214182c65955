/* How Parquet writes numbers in few bits: runs, dictionary indices, differences.
 *
 * Source: parquet-format, Encodings.md. */
#pragma once

#include "base/base.h"

/* The lowest byte first, as everything here is. */
void put_u32(struct str *out, uint32_t v);
void put_u64(struct str *out, uint64_t v);

/* How many bits the number needs; 0 of 0. */
unsigned bits_of(uint64_t v);

/* RLE: runs of 8 and more as a number and how often, others in groups of eight; `width` bits each,
 * 1 at least. */
void rle_put(struct str *out, const uint32_t *v, size_t n, unsigned width);

/* n bits, the first in the lowest of the first byte: PLAIN of booleans. */
void bools_put(struct str *out, const bool *v, size_t n);

/* DELTA_BINARY_PACKED of 64-bit numbers: blocks of 128 differences, in quarters, each of as few
 * bits as its differences from the block's least need. */
void delta_put(struct str *out, const int64_t *v, size_t n);
