/* The values of one column in one group of rows, as they are in a Parquet file: a dictionary,
 * pages, what the footer says of them.
 *
 * Values that repeat are numbers of a dictionary.  Where that would grow too large, what follows is
 * as it is: whole numbers as differences, others plain. */
#pragma once

#include "base/base.h"
#include "base/parquet/parquet_words.h"

enum parquet_type { PARQUET_BOOL, PARQUET_INT, PARQUET_REAL, PARQUET_TEXT };

/* How large a value is, by its type. */
#define PARQUET_SIZES                                                              \
	{                                                                          \
		sizeof(bool), sizeof(int64_t), sizeof(double), sizeof(struct span) \
	}

/* Values of n rows, v of the column's type; room for them is the reader's. */
struct parquet_values {
	size_t n;
	bool *known; /* false: the row has none */
	union {
		bool *b;
		int64_t *i;
		double *r;
		struct span *s; /* any bytes; those that are no UTF-8 become U+FFFD */
	};
};

enum {
	PAGE_ROWS = 1 << 16,
	PAGE_BYTES = 1 << 20,  /* of texts, about */
	STATISTICS_BYTES = 256 /* of a text; longer ones are not said */
};

struct parquet_chunk {
	struct str bytes;       /* pages, the dictionary first */
	size_t dictionary_size; /* of its page in bytes; 0: there is none */
	int64_t raw_bytes;      /* of all pages before they were compressed, and their heads */
	bool is_gzip;
	int64_t npage[PARQUET_ENCODINGS]; /* of data, by their encoding */
	int64_t nvalue, nnull;
	bool has_bounds;
	struct str least, most; /* as PLAIN has them, texts without their length */
};

/* Fills *c, which is zeros.  Any thread.  v is scratch afterwards. */
void chunk_fill(struct parquet_chunk *c, enum parquet_type type, struct parquet_values *v);
void chunk_clear(struct parquet_chunk *c);
