/* UTF-16 to UTF-8, a buffer at a time. */
#pragma once

#include "base/base.h"

/* Enough room for the UTF-8 of n bytes of UTF-16. */
#define UTF16_ROOM(n) ((n) / 2 * 3 + 8)

/* Decodes in[0 .. n) into out; returns the bytes written, *used the bytes decoded.  A unit or a
 * surrogate pair that is cut at the end is left for the next call, or with `last` decoded as
 * U+FFFD, as lone surrogates are. */
size_t utf16_to_utf8(
	const unsigned char *in, size_t n, bool big_endian, bool last, char *out, size_t *used);
