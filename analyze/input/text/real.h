/*
 * Decimal text to double, correctly rounded, for logs of millions of values.
 */
#ifndef ANALYZE_INPUT_TEXT_REAL_H
#define ANALYZE_INPUT_TEXT_REAL_H

#include <stdbool.h>

#include "base/str.h"

enum { REAL_PADDING = 8 }; /* readable bytes real_parse wants behind `end` */

/*
 * The JSON number that begins at p, or NaN, Infinity, -Infinity, null (*v is NaN and *missing
 * true).  Returns the byte behind it, or NULL when there is none.  REAL_PADDING bytes behind end
 * must be readable.  Rounded to nearest, ties to even, as strtod.
 */
const char *real_parse(const char *p, const char *end, double *v, bool *missing);

/*
 * A whole text as a number: blanks around it are fine, also "nan", "inf" in any case; NaN written
 * out is a number, too.  False for anything else.
 */
bool real_of(struct span text, double *v);

#endif
