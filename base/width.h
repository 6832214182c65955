/* How much room text takes on a terminal, and how to make it fit.  All texts here are valid UTF-8
 * without control characters (report/escape.h makes them). */
#pragma once

#include "base/base.h"

/* Columns the text takes. */
size_t width_of(struct span s);

/* Appends s, cut in the middle where it is wider than width: both ends of a name say more than its
 * middle.  The cut is shown as U+2026, or "..." without utf8.  Never wider than width. */
void width_cut(struct str *b, struct span s, size_t width, bool utf8);

/* Appends s and spaces behind it (before it when right) up to width. */
void width_pad(struct str *b, struct span s, size_t width, bool right);

/*
 * Where the word ends that begins at `from`: at the next space.  A command that a sentence names,
 * 'traceq explain WORD' or (traceq explain WORD), is one word, so that nothing breaks or cuts it.
 */
size_t width_word(struct span s, size_t from);

/* Whether the text names a command like that. */
bool width_names_command(struct span s);

/* Appends s, broken at spaces into lines of at most width columns (0: no limit); lines after the
 * first begin with indent spaces, which count.  A word (width_word) wider than a line stands alone
 * and is not cut. */
void width_wrap(struct str *b, struct span s, size_t width, size_t indent);
