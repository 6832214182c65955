/* Words of the schema. */
#include "analyze/columns/schema.h"

#include "base/words.h"

#define SCHEMA_TYPES(X)   \
	X(I64, "int64")   \
	X(REAL, "double") \
	X(TEXT, "text")   \
	X(BOOL, "bool")
WORDS(schema_type_word, enum schema_type, SCHEMA_TYPES, 2)
