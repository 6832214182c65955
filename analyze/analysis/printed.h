/*
 * Lines as scripts of the documents print them: for answers in their layout (TABLE_TEXT).
 */
#ifndef ANALYZE_ANALYSIS_PRINTED_H
#define ANALYZE_ANALYSIS_PRINTED_H

#include "base/compiler.h"
#include "base/str.h"
#include "base/table.h"

/* A table of lines about an input; -1: about all of them.  id: of the page, by which reports find
 * it. */
struct table *printed_table(struct result *out, int input, const char *id);

/* One line, printf-style, without a line feed. */
void printed_line(struct table *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* So many times that character. */
void printed_rule(struct table *t, char c, int n);
/* A title between two rules of '='. */
void printed_title(struct table *t, const char *title, int n);

/* Python's f"{text:<width}": spaces behind it, to so many characters. */
void printed_left(struct str *b, struct span text, size_t width);
/* Python's str(v) of a float that was written with at most 12 digits. */
const char *printed_float(struct table *t, double v);
/* Python's text[:n]: its first n characters. */
struct span printed_cut(struct span text, size_t n);

#endif
