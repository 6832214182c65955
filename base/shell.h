/* Command lines that are shown, to be typed or pasted: words as bash and zsh take them.
 *
 * Whatever a name holds, the line is one line of printable text, nothing in it steers a terminal or
 * gives a CI server an order, and what it is escaped for (report/escape.h) leaves it as it is. */
#pragma once

#include "base/base.h"

/* Appends one word, quoted where a shell needs it: in '', or where it cannot be shown, in $''. */
void shell_word(struct str *b, const char *word);

/* Appends s for use between single quotes: a quote becomes '\''. */
void shell_quoted(struct str *b, const char *s);

/* "traceq" and the words, up to NULL; memory is the arena's. */
const char *shell_command(struct arena *mem, const char *const *word);

/* The path as an operand: no option, no standard input and no word between sides; not quoted. */
const char *shell_operand(struct arena *mem, const char *path);

/* Appends a command made here in ASCII: the same words for a shell. */
void shell_ascii(struct str *b, struct span command);
