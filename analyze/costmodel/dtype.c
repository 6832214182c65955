/*
 * The words of number formats.
 */
#include "analyze/costmodel/dtype.h"

const char *const roof_dtype_words[ROOF_DTYPE_COUNT] = {
#define X(name, word) [ROOF_##name] = word,
	ROOF_DTYPES(X)
#undef X
};
