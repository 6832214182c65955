/* Scalars of a JSON object by name, in one pass: for records whose members are known. */
#pragma once

#include "analyze/input/text/json_text.h"

/* A member to find: its key, and the key of the object it is in ("" is the outermost). */
struct json_field {
	const char *in, *key;
};

enum { JSON_FIELDS_DEPTH = 16 };

/* The text, number or word of each of the n fields; JSON_NONE where there is none.  What is in an
 * array is passed over; of a field given twice the last counts.  False when the object is malformed
 * or nests deeper than JSON_FIELDS_DEPTH. */
bool json_fields(
	struct span object, const struct json_field *field, size_t n, struct json_value *v);
