/* Cells of the tables that a run has by itself, looked for by words: what tables of several runs
 * are made of.  Lists have '|' between. */
#pragma once

#include "base/table.h"

enum { PAGECELLS_NUMBER = 32 }; /* room for the text of a number */

/* The first of those tables that is there, from `from` on; NULL: none is. */
const struct table *pagecells_table(const struct result *r, size_t from, const char *ids);

/* The column of that key, or ncol; of the first key of a list that is there. */
size_t pagecells_column_of(const struct table *t, struct span key);
size_t pagecells_column(const struct table *t, const char *keys);

/* What a cell has to be compared with: its text, or its number as one, in room; empty where it is
 * not. */
struct span pagecells_word(const struct table *t, size_t row, size_t col, char *room);

/* Rows without those that are none. */
size_t pagecells_rows(const struct table *t);

/* Puts what the cell has into a column of the newest row of `to`, whose types may differ. */
void pagecells_copy(struct table *to, size_t to_col, const struct table *t, size_t row, size_t col);

/* Adds a copy of a table to r, of the same input. */
void pagecells_copy_table(struct result *r, const struct table *t);

/* Puts a copy of the text, unless it is empty. */
void pagecells_text(struct table *t, size_t col, struct span text);
