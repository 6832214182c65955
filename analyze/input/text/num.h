/* Exact numbers from text: microseconds to integer nanoseconds, integers, and doubles, correctly
 * rounded, for logs of millions of values. */
#pragma once

#include "base/base.h"

/* Microseconds as decimal text to nanoseconds, exactly: sign, digits, fraction of any length
 * (rounded half to even at the nanosecond), optional exponent.  Never through a double.  Kineto's
 * "-5.-123" means -5.123, its "-5.-05" -5.005; leading zeros are fine.  False when the text is no
 * such number or its size is above INT64_MAX ns (INT64_MIN stands for "none" elsewhere). */
bool num_ns(struct span text, int64_t *ns);

/* A decimal integer that fits; also "1.0", "1e3" when integral.  False otherwise. */
bool num_i64(struct span text, int64_t *v);

/* An unsigned decimal integer; also "0x1f".  False when it does not fit. */
bool num_u64(struct span text, uint64_t *v);

/* Any JSON number, nan, inf and their spellings; false (and *v = NaN) for anything else. */
bool num_f64(struct span text, double *v);

enum { REAL_PADDING = 8 }; /* readable bytes real_parse wants behind `end` */

/* The JSON number that begins at p, or NaN, Infinity, -Infinity, null (*v is NaN and *missing
 * true).  Returns the byte behind it, or NULL when there is none.  REAL_PADDING bytes behind end
 * must be readable.  Rounded to nearest, ties to even, as strtod. */
const char *real_parse(const char *p, const char *end, double *v, bool *missing);

/* A whole text as a number: blanks around it are fine, also "nan", "inf" in any case; NaN written
 * out is a number, too.  False for anything else. */
bool real_of(struct span text, double *v);

/* "-123.456", "1,234", "1.5E-04": up to seven digits on either side of the point.  NULL: it is
 * longer, or something else; real_parse knows.  REAL_PADDING readable bytes are behind the text. */
const char *real_short(const char *p, double *v);
