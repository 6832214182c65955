/*
 * Looking up in tables: columns by key, rows by what is in them.
 */
#include "base/table_find.h"

#include <math.h>
#include <string.h>

#include "base/table.h"

size_t table_rows(const struct table *t)
{
	return t ? t->nrow - t->nfoot : 0;
}

bool table_find_column(const struct table *t, const char *key, size_t *col)
{
	size_t n = t ? t->ncol : 0;

	for (size_t i = 0; i < n; i++) {
		if (strcmp(t->col[i].key, key) == 0) {
			*col = i;
			return true;
		}
	}
	*col = 0;
	return false;
}

double table_number(const struct table *t, size_t row, const char *key)
{
	size_t col;

	return t && row < t->nrow && table_find_column(t, key, &col) ? table_number_at(t, row, col)
								     : NAN;
}

struct span table_word(const struct table *t, size_t row, const char *key)
{
	size_t col;

	return t && row < t->nrow && table_find_column(t, key, &col) ? table_text_at(t, row, col)
								     : SPAN("");
}

bool table_find_word(const struct table *t, const char *key, struct span word, size_t *row)
{
	size_t n = table_rows(t), col;

	if (table_find_column(t, key, &col))
		for (*row = 0; *row < n; ++*row)
			if (span_eq(table_text_at(t, *row, col), word))
				return true;
	*row = n;
	return false;
}

bool table_find_number(const struct table *t, const char *key, double v, size_t *row)
{
	size_t n = table_rows(t), col;

	if (table_find_column(t, key, &col))
		for (*row = 0; *row < n; ++*row)
			if (number_same(table_number_at(t, *row, col), v))
				return true;
	*row = n;
	return false;
}

bool number_same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

bool numbers_find(const double *v, size_t n, double x, size_t *at)
{
	for (*at = 0; *at < n; ++*at)
		if (number_same(v[*at], x))
			return true;
	return false;
}
