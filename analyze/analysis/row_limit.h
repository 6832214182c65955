/* How many rows a table shows, and what it says of the others. */
#pragma once

#include "base/base.h"

struct query;
struct table;

/* -n: rows to show, SIZE_MAX for all of them.  asked: as given; 0: all; below 0: not given, then
 * `people` rows for people and `machines` for machines. */
size_t rows_limit(const struct query *q, int64_t asked, size_t people, size_t machines);

/* Says that `cut` rows of t are left out, if any are: a last row that is none, its text in column
 * `col`.  The row may be given sums of what is left out. */
void rows_cut(struct table *t, size_t col, size_t cut);

/* The same of what is no row for people: "path". */
void rows_cut_of(struct table *t, size_t col, size_t cut, const char *what);

/* Takes the columns out in which no row has anything, where people ask. */
void rows_for_people(const struct query *q, struct table *t);
