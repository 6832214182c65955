/* Flowing text for people: help, explain. */
#pragma once

#include "base/base.h"

enum { TEXT_WIDTH = 80 };

/* Appends text in lines of at most TEXT_WIDTH columns, each after `indent` spaces, with a line feed
 * at the end.  Paragraphs are separated by blank lines; a line that starts with a space is kept as
 * it is.  A word longer than a line gets a line of its own. */
void text_wrap(struct str *out, const char *text, size_t indent);

/* Appends "  label   text", the text wrapped from column `indent` on; a label that reaches that
 * column stands on a line of its own. */
void text_item(struct str *out, const char *label, const char *text, size_t indent);

/* Appends the lines of text, at most max of them, each after `indent` spaces. */
void text_lines(struct str *out, const char *text, size_t max, size_t indent);

/* Appends "a|b|c" as "a, b, c". */
void text_choices(struct str *out, const char *choices);
