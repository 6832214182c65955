/* Code points. */
#pragma once

#include "base/base.h"

struct code_range {
	uint32_t first, last;
};

/* Whether one of n sorted ranges has the code point. */
bool codes_have(const struct code_range *r, size_t n, uint32_t c);

/* Decodes the code point at *p (p < end) and moves *p behind it.  Bytes that are not UTF-8
 * (overlong forms, surrogates and codes above U+10FFFF included) give U+FFFD, one for each maximal
 * valid beginning, as the Unicode standard recommends (chapter 3.9). */
uint32_t utf8_next(const char **p, const char *end);

/* Writes a code point, not a surrogate, of up to four bytes; what is behind it. */
char *utf8_write(char *o, uint32_t c);
/* Appends one. */
void utf8_put(struct str *b, uint32_t c);

/* The text, or one in scratch in which U+FFFD stands for bytes that are no UTF-8. */
struct span utf8_mended(struct span s, struct str *scratch);

/* Code points in n bytes of valid UTF-8. */
size_t utf8_length(const char *s, size_t n);

/* At most `most` bytes of a text, to the end of a character. */
struct span utf8_cut(struct span s, size_t most);

/* Whether a code point must not be sent as it is: controls (C0, DEL, C1), line and paragraph
 * separators, marks of direction, format characters, what has no width, tags, and the two that no
 * text may hold (U+FFFE, U+FFFF). */
bool is_unsafe(uint32_t c);

/* A variation selector, which has no look of its own: it belongs to the character before it, and
 * behind ASCII or at the beginning of a text it only hides. */
bool is_selector(uint32_t c);

/* A blank of any width: what programs that read lines trim from their beginning. */
bool is_blank(uint32_t c);
