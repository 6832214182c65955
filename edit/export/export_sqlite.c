/* Tables of the schema in a database of SQLite. */
#include "edit/export/export.h"

#ifdef HAVE_SQLITE
#include <sqlite3.h>

#include "base/program.h"
#include "base/utf8.h"

#define CALLS(X)               \
	X(sqlite3_open_v2)     \
	X(sqlite3_close)       \
	X(sqlite3_exec)        \
	X(sqlite3_prepare_v2)  \
	X(sqlite3_finalize)    \
	X(sqlite3_step)        \
	X(sqlite3_reset)       \
	X(sqlite3_bind_null)   \
	X(sqlite3_bind_int64)  \
	X(sqlite3_bind_double) \
	X(sqlite3_bind_text)   \
	X(sqlite3_errmsg)

LIBRARY(sqlite_writing, "libsqlite3.so.0", CALLS)

struct export_sqlite {
	struct sqlite_writing lib;
	sqlite3 *db;
	struct str sql, scratch;
	bool is_made[SCHEMA_TABLES];
};

static enum status failed(const struct export_sqlite *x, struct err *e)
{
	return err_set(e, E_IO, -1, "cannot write the database: %s", x->lib.sqlite3_errmsg(x->db));
}

static enum status exec(const struct export_sqlite *x, const char *sql, struct err *e)
{
	return x->lib.sqlite3_exec(x->db, sql, NULL, NULL, NULL) == SQLITE_OK ? OK : failed(x, e);
}

void export_sqlite_drop(struct export_sqlite *x)
{
	if (!x)
		return;
	(void)x->lib.sqlite3_close(x->db);
	sqlite_writing_close(&x->lib);
	str_free(&x->sql);
	str_free(&x->scratch);
	free(x);
}

/* The file is nobody else's until it is complete, and is thrown away where it is not: no journal,
 * no locks, no waiting for the disk. */
enum status export_sqlite_begin(struct export_sqlite **db, const char *path, struct err *e)
{
	struct export_sqlite *x = *db = xcalloc(1, sizeof(*x));

	if (!sqlite_writing_open(&x->lib)) {
		free(x);
		*db = NULL;
		return err_hinted(e, E_NODATA, "install it (libsqlite3-0), or export Parquet",
			"a database takes SQLite, which is not here");
	}
	if (x->lib.sqlite3_open_v2(path, &x->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
		    "unix-none") != SQLITE_OK)
		return failed(x, e);
	TRY(exec(x, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", e));
	str_addf(&x->sql, "PRAGMA user_version = %d; BEGIN", SCHEMA_VERSION);
	return exec(x, x->sql.s, e);
}

static const char *type_of(enum schema_type type)
{
	return type == SCHEMA_REAL ? "REAL" : type == SCHEMA_TEXT ? "TEXT" : "INTEGER";
}

static enum status make(struct export_sqlite *x, const struct schema_table *t, struct err *e)
{
	const size_t at = (size_t)(t - schema_tables);

	if (x->is_made[at])
		return OK;
	x->is_made[at] = true;
	str_reset(&x->sql);
	str_addf(&x->sql, "CREATE TABLE \"%s\" (", t->name);
	for (size_t i = 0; i < t->n; i++)
		str_addf(&x->sql, "%s\"%s\" %s%s", i ? ", " : "", t->column[i].key,
			type_of(t->column[i].type), t->column[i].can_be_null ? "" : " NOT NULL");
	str_addc(&x->sql, ')');
	return exec(x, x->sql.s, e);
}

static int bind_cell(struct export_sqlite *x, sqlite3_stmt *st, int at,
	const struct export_table *t, const struct schema_column *col, size_t row)
{
	int64_t i;
	double r;
	uint32_t id;
	struct span s;

	switch (col->type) {
	case SCHEMA_I64:
	case SCHEMA_BOOL:
		i = col->at.i64(t->c, row);
		return i == SCHEMA_NO_INT ? x->lib.sqlite3_bind_null(st, at)
					  : x->lib.sqlite3_bind_int64(st, at, i);
	case SCHEMA_REAL:
		r = col->at.real(t->c, row);
		return isnan(r) ? x->lib.sqlite3_bind_null(st, at)
				: x->lib.sqlite3_bind_double(st, at, r);
	case SCHEMA_TEXT:
	case SCHEMA_TYPE_COUNT: break;
	}
	id = col->at.text(t->c, row);
	if (id == SCHEMA_NO_TEXT)
		return x->lib.sqlite3_bind_null(st, at);
	s = columns_text(t->c, col->dictionary, id);
	struct span whole = utf8_mended(s, &x->scratch);
	return x->lib.sqlite3_bind_text(st, at, whole.n ? whole.p : "", (int)whole.n,
		whole.p == s.p ? SQLITE_STATIC : SQLITE_TRANSIENT);
}

static enum status add_rows(
	struct export_sqlite *x, sqlite3_stmt *st, const struct export_table *t, struct err *e)
{
	for (size_t i = 0; i < t->n; i++) {
		const size_t row = t->order ? t->order[i] : i;
		int code = SQLITE_OK;

		for (size_t k = 0; k < t->schema->n && code == SQLITE_OK; k++)
			code = bind_cell(x, st, (int)k + 1, t, &t->schema->column[k], row);
		if (code != SQLITE_OK || x->lib.sqlite3_step(st) != SQLITE_DONE)
			return failed(x, e);
		(void)x->lib.sqlite3_reset(st);
	}
	return OK;
}

enum status export_sqlite_add(struct export_sqlite *x, const struct export_table *t, struct err *e)
{
	sqlite3_stmt *st = NULL;

	TRY(make(x, t->schema, e));
	str_reset(&x->sql);
	str_addf(&x->sql, "INSERT INTO \"%s\" VALUES (?", t->schema->name);
	for (size_t i = 1; i < t->schema->n; i++)
		str_adds(&x->sql, ", ?");
	str_addc(&x->sql, ')');
	if (x->lib.sqlite3_prepare_v2(x->db, x->sql.s, -1, &st, NULL) != SQLITE_OK)
		return failed(x, e);
	enum status result = add_rows(x, st, t, e);
	(void)x->lib.sqlite3_finalize(st);
	return result;
}

enum status export_sqlite_end(struct export_sqlite *x, struct err *e)
{
	enum status st = exec(x, "COMMIT", e);

	export_sqlite_drop(x);
	return st;
}

#else

enum status export_sqlite_begin(
	struct export_sqlite **db UNUSED, const char *path UNUSED, struct err *e)
{
	return err_set(e, E_NODATA, -1,
		"a database takes SQLite, and traceq was built without it (package libsqlite3-dev)");
}

enum status export_sqlite_add(
	struct export_sqlite *db UNUSED, const struct export_table *t UNUSED, struct err *e)
{
	return err_set(e, E_NODATA, -1, "no SQLite");
}

enum status export_sqlite_end(struct export_sqlite *db UNUSED, struct err *e)
{
	return err_set(e, E_NODATA, -1, "no SQLite");
}

void export_sqlite_drop(struct export_sqlite *db UNUSED)
{
}
#endif
