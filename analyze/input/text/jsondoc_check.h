/* Whether a text is one JSON document. */
#pragma once

#include "base/base.h"

/* OK when a well-formed value stands at the beginning of text; *end is behind it.  NaN, Infinity,
 * other bare words and a trailing comma are let through.  E_SYNTAX with the place and what was
 * expected there, E_TRUNCATED when the text ends inside the value. */
enum status jsondoc_check(struct span text, size_t *end, struct err *e) MUST_CHECK;
