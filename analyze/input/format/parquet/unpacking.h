/* Numbers that Parquet wrote in few bits.  Each takes what it reads off *from, and is false where
 * there is not what has to be.  Behind *from are UNPACKING_PADDING readable bytes. */
#pragma once

#include "base/base.h"

enum { UNPACKING_PADDING = 16 };

bool u32_take(struct span *from, uint32_t *v);

/* n numbers of `width` bits each, at most 32, in runs and groups of eight. */
bool rle_take(struct span *from, uint32_t *v, size_t n, unsigned width);

/* n bits. */
bool bools_take(struct span *from, bool *v, size_t n);

/* n differences, as report/parquet/packing.h has them: blocks of 128 in quarters. */
bool delta_take(struct span *from, int64_t *v, size_t n);

/* n of eight bytes. */
bool numbers_take(struct span *from, int64_t *v, size_t n);

/* n texts, each behind its length; they lie where they are read. */
bool texts_take(struct span *from, struct span *v, size_t n);
