/* A database to be read: tables, columns, rows.  Nothing of it is trusted: it is opened read-only,
 * views and triggers of the file are never run, and a question that takes more work than its size
 * explains is an error: a damaged tree of pages can be walked without end. */
#pragma once

#include "base/base.h"

struct database;
struct emit_sink;
struct format_input;
struct rows;

enum { DATABASE_TEXT_MAX = 64 << 20 }; /* of one text or blob */

/* Opens what `in` is, with its log or journal (stored.h), and reads its schema.  E_FORMAT when the
 * program or this machine has no SQLite (says so); E_SYNTAX when the schema cannot be read; E_LIMIT
 * for one that would have to be held in memory and is too large; E_IO.  database_close in any case;
 * *d is NULL after a failure. */
enum status database_open(struct database **d, struct format_input *in, struct err *e) MUST_CHECK;
void database_close(struct database *d);

/* There is a table (no view, no virtual table) of that name. */
bool database_has(struct database *d, const char *table);

/* That table is there and has such a column. */
bool database_has_column(struct database *d, const char *table, const char *column);

/* Rows of a table, or -1 when it is not there. */
int64_t database_count(struct database *d, const char *table);

/* The names of all tables that begin so, one after the other with a NUL behind each, and an empty
 * one at the end; the caller frees it.  For schemas whose tables carry an id in their names. */
char *database_tables(struct database *d, const char *prefix);

/* Rows of a table: the values of these columns, by their number; NULL where the table has none of
 * that name, or where a column is NULL here.  At most TABLE_COLUMNS.  Errors as of rows_open. */
enum { TABLE_COLUMNS = 40 };
enum status rows_of(struct rows **r, struct database *d, const char *table,
	const char *const *columns, size_t n, struct err *e) MUST_CHECK;

/* Rows of a question.  Names in it are the program's own; those of database_tables, which may be
 * anything, stand in double quotes, and such that hold one are not asked.  E_SYNTAX with SQLite's
 * own words; then *r is NULL.  rows_close in any case, before database_close. */
enum status rows_open(
	struct rows **r, struct database *d, const char *sql, struct err *e) MUST_CHECK;
void rows_close(struct rows *r);

/* As rows_of, where damage does not matter: NULL when there is no such table or it cannot be asked.
 */
struct rows *rows_if(struct database *d, const char *table, const char *const *columns, size_t n);

/* The next row; false at the end, where the database is damaged, and of NULL. */
bool rows_more(struct rows *r);

/* Asks again, with another value in place of ?1. */
void rows_again(struct rows *r, int64_t value);

/* The next row; false in *there at the end.  E_SYNTAX for a database that is damaged. */
enum status rows_next(struct rows *r, bool *there, struct err *e) MUST_CHECK;

/* Values of the row, by column from 0.  NULL: `otherwise`, an empty text with p NULL. */
bool rows_is_null(const struct rows *r, int column);

/* True, and the number in *v, when the value is an integer and nothing else. */
bool rows_take_int(const struct rows *r, int column, int64_t *v);
int64_t rows_int(const struct rows *r, int column, int64_t otherwise);

/* The bytes are good until the next row. */
struct span rows_text(const struct rows *r, int column);

/* --- schemas: databases whose tables are traces, and the list of them --- */

struct schema {
	const char *name;  /* "nsys" */
	const char *title; /* "Nsight Systems export" */
	bool (*is)(struct database *d);

	/* As struct format's. */
	enum status (*read)(
		struct database *d, struct format_input *in, struct emit_sink *out, struct err *e);
};

#define SCHEMAS(X) X(nsys) X(rocpd) X(ascend)

#define X(name)    extern const struct schema schema_##name;
SCHEMAS(X)
#undef X
