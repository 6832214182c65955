/* The one table of a result for formats that have room for one: the first grid, else the first
 * table.  Of several inputs its rows stand below each other, and where that tells them apart a
 * column "input" in front holds the path.  Foot rows are left out. */
#pragma once

#include "base/table.h"

struct one_table {
	const struct result *r;
	const struct table **table; /* its parts, one for each input */
	size_t ntable;
	const struct column **column; /* the union, in order of first appearance */
	size_t ncolumn;
	bool has_input; /* the column in front */
};

/* All of it is mem's. */
void one_table_of(struct one_table *t, const struct result *r, struct arena *mem);

/* Where each column is in a part: index + 1, 0 for not there. */
void one_table_columns(const struct one_table *t, const struct table *part, size_t *at);

/* What the column "input" holds in a part's rows. */
struct span one_table_input(const struct one_table *t, const struct table *part);
