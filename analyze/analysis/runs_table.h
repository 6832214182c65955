/* Several runs side by side: one table with a row for each, made of the tables that each has by
 * itself.  Where its cells come from is data of the analysis.  No figure is computed here. */
#pragma once

#include "base/table.h"

/* The id of such tables. */
#define RUNS_TABLE "runs"

/* Where one cell comes from: a cell of the run's own tables.  Lists have '|' between. */
struct runs_cell {
	const char *table; /* the first of these that is there */
	const char *keys;  /* the columns: the first that the table has */
	/*
	 * The row: the last one whose column `where` has one of the texts `is`, or, where that is
	 * NULL, what the row of `each` has in it.  NULL: the row of `each` itself, else the first.
	 */
	const char *where, *is;
};

/* The table of an analysis. */
struct runs_doc {
	const struct table_doc *doc;
	const char *from; /* has the other cells, by their keys, but for "run" and "path" */
	const struct runs_cell *cell; /* by column, those that are not like that; NULL: all are */
	const char *each;             /* a table: a row for each of its rows; NULL: one a run */
	bool (*wants_pages)(const void *opts); /* an option asks for rows of the pages; NULL: never
	                                        */
	const char *kept; /* tables of pages that stay below it, each with its run; NULL: none */
};

struct runs_table {
	const struct runs_doc *how;
	struct result rows; /* one table, until all runs are there */
	struct table *t;
	size_t nrun; /* that have rows */
	int input;   /* the last of them */
};

void runs_table_init(struct runs_table *s, const struct runs_doc *how);
void runs_table_clear(struct runs_table *s);

/* Adds the rows of the run of that input, whose tables are those of r from `from` on.  O(cells). */
void runs_table_add(struct runs_table *s, const struct result *r, size_t from, int input);

/* Makes the table in r, unless there are no rows; for people without empty columns. */
void runs_table_put(const struct runs_table *s, struct result *r, bool for_people);

/* The name of the i-th input among all: its path without what all paths begin and end with, cut at
 * '/' and '.'; the last part where nothing is left. */
struct span runs_name(const struct result *r, int i);

/* Bytes of folders that the paths of all inputs begin with. */
size_t runs_start(const struct result *r);
