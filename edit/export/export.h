/* The tables of the schema (analyze/columns/schema.h) written for people's own tools. */
#pragma once

#include <stdio.h>

#include "analyze/columns/schema_tables.h"
#include "analyze/columns/trace_columns.h"

/* A table of a run as it is written: by start, where it has one, so that a filter on time passes
 * over whole groups of rows.  In a group, rows of one kind on one thread or stream stand together:
 * their numbers differ by little, which makes a file half as large. */
struct export_table {
	const struct schema_table *schema;
	const struct columns *c;
	size_t n;
	uint32_t *order; /* rows as they are written; NULL: as they are */
};

/* What a run is loaded with for a table (enum need). */
unsigned export_needs(enum schema_table_id id);

/* Finds its rows; group: how many are a group, 0: all of them are by start.  export_table_clear
 * releases. */
void export_table_init(
	struct export_table *t, struct columns *c, enum schema_table_id id, size_t group);
void export_table_clear(struct export_table *t);

/* What of the run is in no table, for who reads an export again (analyze/trace/digest/run_facts.h):
 * once for all its tables; of one of several runs also what their job is told by (jobpage_needs).
 * Empty where it has no events. */
struct export_kept {
	struct str bytes, run; /* run: a number that its tables share */
	size_t njob;           /* bytes, the last, that are of the job */
};
void export_kept_init(struct export_kept *k, const struct run *r, bool is_one_of_several);
void export_kept_clear(struct export_kept *k);

/* Writes the table to a file; closing it is the caller's.  E_IO. */
enum status export_parquet(FILE *out, const struct export_table *t, const struct export_kept *kept,
	unsigned threads, struct err *e) MUST_CHECK;

/* A database: tables of several runs, each with the rows of all. */
struct export_sqlite;

/* Begins it in the empty file at path.  E_NODATA when there is no SQLite; E_IO.
 * export_sqlite_end closes it, complete where it returns OK, export_sqlite_drop before that. */
enum status export_sqlite_begin(
	struct export_sqlite **db, const char *path, struct err *e) MUST_CHECK;
enum status export_sqlite_add(
	struct export_sqlite *db, const struct export_table *t, struct err *e) MUST_CHECK;
enum status export_sqlite_end(struct export_sqlite *db, struct err *e) MUST_CHECK;
void export_sqlite_drop(struct export_sqlite *db);
