/*
 * Looking things up in tables and in rows of numbers, also in what is not there.
 *
 * What looks for something says whether it is there, and where; a loop that goes on until it has
 * found something has no answer where nothing is, and tests/lint/loops.sh refuses it.  A table may
 * be NULL: it has nothing.  An unknown number, NaN, is the same as another unknown one and as no
 * known one, which == does not say.
 */
#ifndef BASE_TABLE_FIND_H
#define BASE_TABLE_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"
#include "base/str.h"

struct table;

/* Rows that are data: without the foot. */
size_t table_rows(const struct table *t);

/* False: no column has that key; *col is 0 then. */
bool table_find_column(const struct table *t, const char *key, size_t *col) MUST_CHECK;

/* The first row of data with that text, or that number, under the key; false: there is none, and
 * *row is table_rows. */
bool table_find_word(
	const struct table *t, const char *key, struct span word, size_t *row) MUST_CHECK;
bool table_find_number(const struct table *t, const char *key, double v, size_t *row) MUST_CHECK;

/*
 * The number in a cell, in its base unit; NaN when it is absent, or no such row or column, or no
 * number.
 */
double table_number(const struct table *t, size_t row, const char *key);

/* The text in a cell; empty when it is absent, or no such row or column, or no text. */
struct span table_word(const struct table *t, size_t row, const char *key);

/* Both are unknown, or they are equal. */
bool number_same(double a, double b);

/* The first of n numbers that is the same; false: none is, and *at is n. */
bool numbers_find(const double *v, size_t n, double x, size_t *at) MUST_CHECK;

#endif
