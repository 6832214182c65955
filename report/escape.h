/*
 * Hostile text made harmless, for each output format.
 *
 * Names come from traces and may hold anything.  Whatever the format, bytes that are not UTF-8
 * become U+FFFD, and code points that steer a terminal or hide text (controls, ESC, C1,
 * bidirectional marks, zero-width characters, tags) are shown as escapes, never sent.
 */
#ifndef REPORT_ESCAPE_H
#define REPORT_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/*
 * Decodes the code point at *p (p < end) and moves *p behind it.  Bytes that are not UTF-8
 * (overlong forms, surrogates and codes above U+10FFFF included) give U+FFFD, one for each maximal
 * valid beginning, as the Unicode standard recommends (chapter 3.9).
 */
uint32_t utf8_next(const char **p, const char *end);

/* Appends a code point; not a surrogate. */
void utf8_put(struct str *b, uint32_t c);

/* Code points in n bytes of valid UTF-8. */
size_t utf8_length(const char *s, size_t n);

/* Whether a code point must not reach a terminal as it is. */
bool is_unsafe(uint32_t c);

/*
 * Text for a terminal: unsafe code points as \n, \t, \x1b, \u202e, \U000e0041.  Without utf8
 * everything outside ASCII is shown that way too, but typography has its plain form: ... +/- -> us.
 * The result is one line.
 */
void escape_terminal(struct str *b, struct span s, bool utf8);

/* A JSON string with its quotes.  Unsafe code points as \uXXXX (the value is the same). */
void escape_json(struct str *b, struct span s);

/*
 * A CSV cell, quoted by RFC 4180 where needed.  Tabs, CR and LF stay (inside quotes); other
 * unsafe code points are shown as escapes.  A text that a spreadsheet would take for a formula
 * (first character = + - @ tab CR LF, also full-width) gets a leading ', as OWASP advises: a name
 * in a trace must not be able to run anything on the desk of the one who opens the file.  The
 * number columns are never touched.
 */
void escape_csv(struct str *b, struct span s);

/*
 * A TSV cell: \t \n \r and \\, unsafe code points as escapes; no quotes.  No guard against
 * formulas: this is the format for command-line tools.
 */
void escape_tsv(struct str *b, struct span s);

/* A cell of a GitHub table, also good in running text: one line, no markup, no HTML. */
void escape_markdown(struct str *b, struct span s);

#endif
