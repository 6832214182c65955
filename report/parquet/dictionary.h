/* The dictionary of a column: its distinct values in the order of first sight.
 *
 * It is given up where values do not repeat, or where it would grow large. */
#pragma once

#include "base/base.h"

enum { DICTIONARY_VALUES = 1 << 16, DICTIONARY_BYTES = 4 << 20 };

struct dictionary {
	uint32_t *index; /* by value: which of the dictionary's it is */
	size_t covered;  /* of that many values, the first; 0: there is no dictionary */
	size_t n;
	int64_t *number; /* its values, or the bits of reals */
	struct span *text;
	size_t bytes;     /* of its texts */
	struct arena mem; /* texts that were mended */
};

/* Of n values: whole numbers, or reals by their bits. */
void dictionary_of_numbers(struct dictionary *d, const int64_t *v, size_t n);

/* Of texts. */
void dictionary_of_texts(struct dictionary *d, const struct span *v, size_t n);
void dictionary_clear(struct dictionary *d);
