/* Deflating in pieces: each by itself, in any thread, and together one gzip stream. */
#pragma once

#include "base/base.h"

/* What a piece came to. */
struct deflated {
	uint64_t size; /* before */
	uint32_t crc;
};

/* Of a whole stream so far; zero-initialise. */
struct deflate_sum {
	uint64_t size;
	uint32_t crc;
};

enum { DEFLATE_FAST = -1, DEFLATE_MOST = 9 };

/* Appends the piece as whole blocks of which none is the last.  level: DEFLATE_FAST (ISA-L's first
 * where it is built in, else zlib's), or zlib's 0 to 9.  The same bytes each time. */
struct deflated deflate_piece(struct span text, int level, struct str *out);

/* Appends what stands before the first piece, and behind the last. */
void deflate_head(struct str *out);
void deflate_tail(const struct deflate_sum *sum, struct str *out);

void deflate_add(struct deflate_sum *sum, const struct deflated *piece);
