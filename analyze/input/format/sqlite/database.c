/* Databases by SQLite. */
#include "analyze/input/format/sqlite/database.h"

#include <assert.h>
#include <stdlib.h>

#include "analyze/input/format/format.h"
#include "analyze/input/format/sqlite/libsqlite.h"
#include "analyze/input/format/sqlite/stored.h"
#include "analyze/input/format/sqlite/vfs.h"
#include "base/xalloc.h"

/* Work, in steps of SQLite's machine, that a database may cause: so much, and more by its size. */
#define WORK_AT_LEAST INT64_C(16000000)
enum { WORK_BYTE = 200, WORK_PIECE = 1 << 20 };

struct database {
	struct libsqlite lib;
	struct stored stored;
	struct vfs vfs;
	sqlite3 *db;
	int64_t work_left;
	bool overworked;
};

struct rows {
	struct database *d;
	sqlite3_stmt *st;
};

static enum status failed(struct database *d, struct err *e)
{
	if (d->overworked) {
		(void)err_set(e, E_SYNTAX, -1,
			"damaged database: it takes more work than its size explains");
		return err_hint(e, "sqlite3 FILE 'PRAGMA integrity_check' says more");
	}
	if (d->stored.asks_further) {
		(void)err_set(e, E_FORMAT, -1,
			"a transaction in it never ended that was in other databases, too");
		return err_hint(e, "sqlite3 FILE 'PRAGMA quick_check' rolls it back");
	}
	if (d->lib.sqlite3_errcode(d->db) == SQLITE_NOMEM)
		die_oom(0);
	(void)err_set(e, E_SYNTAX, -1, "damaged database: SQLite says \"%s\"",
		d->lib.sqlite3_errmsg(d->db));
	return err_hint(e, "export it again; sqlite3 FILE 'PRAGMA integrity_check' says more");
}

static int count_work(void *ctx)
{
	struct database *d = ctx;

	d->work_left -= WORK_PIECE;
	d->overworked |= d->work_left < 0;
	return d->overworked;
}

/* Its files are SQLite's; a journal is rolled back in memory, and a log is read where it lies. */
static enum status open_stored(struct database *d, struct err *e)
{
	const int how =
		stored_is_there(&d->stored.journal) ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
	int ignored;

	d->work_left += WORK_BYTE * stored_bytes(&d->stored);
	if (!vfs_open(&d->vfs, &d->lib, &d->stored))
		return err_set(
			e, E_FORMAT, -1, "an SQLite database, and SQLite cannot be used here");
	int code = d->lib.sqlite3_open_v2(
		VFS_DATABASE, &d->db, how | SQLITE_OPEN_NOMUTEX, d->vfs.name);
	if (code != SQLITE_OK)
		return failed(d, e);
	(void)d->lib.sqlite3_db_config(d->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, &ignored);
	code = d->lib.sqlite3_exec(d->db, "PRAGMA locking_mode = EXCLUSIVE", NULL, NULL, NULL);
	return code == SQLITE_OK ? OK : failed(d, e);
}

static void distrust(struct database *d)
{
	int ignored;

	(void)d->lib.sqlite3_db_config(d->db, SQLITE_DBCONFIG_DEFENSIVE, 1, &ignored);
	(void)d->lib.sqlite3_db_config(d->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &ignored);
	(void)d->lib.sqlite3_db_config(d->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, &ignored);
	(void)d->lib.sqlite3_db_config(d->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, &ignored);
	(void)d->lib.sqlite3_limit(d->db, SQLITE_LIMIT_LENGTH, DATABASE_TEXT_MAX);
	d->lib.sqlite3_progress_handler(d->db, WORK_PIECE, count_work, d);
}

/* The schema is read with the first question: whether it can be. */
static enum status read_schema(struct database *d, struct err *e)
{
	struct rows *r = NULL;
	bool there;
	enum status st = rows_open(&r, d, "SELECT count(*) FROM sqlite_master", e);

	if (r)
		st = rows_next(r, &there, e);
	rows_close(r);
	return st;
}

enum status database_open(struct database **out, struct format_input *in, struct err *e)
{
	struct database *d = xcalloc(1, sizeof(*d));

	*out = NULL;
	if (!libsqlite_open(&d->lib)) {
		free(d);
		(void)err_set(
			e, E_FORMAT, -1, "an SQLite database, and SQLite is not installed here");
		return err_hint(e, "install it: package libsqlite3-0");
	}
	d->work_left = WORK_AT_LEAST;
	enum status st = stored_open(&d->stored, in, e);
	if (st == OK)
		st = open_stored(d, e);
	if (st == OK) {
		distrust(d);
		st = read_schema(d, e);
	}
	if (st != OK) {
		database_close(d);
		return st;
	}
	*out = d;
	return OK;
}

void database_close(struct database *d)
{
	if (!d)
		return;
	(void)d->lib.sqlite3_close(d->db);
	vfs_close(&d->vfs);
	stored_close(&d->stored);
	libsqlite_close(&d->lib);
	free(d);
}

/* Whether a question with one or two texts has a row. */
static bool has_row(struct database *d, const char *sql, const char *a, const char *b)
{
	sqlite3_stmt *st = NULL;
	bool has = false;

	if (d->lib.sqlite3_prepare_v2(d->db, sql, -1, &st, NULL) == SQLITE_OK) {
		(void)d->lib.sqlite3_bind_text(st, 1, a, -1, SQLITE_STATIC);
		if (b)
			(void)d->lib.sqlite3_bind_text(st, 2, b, -1, SQLITE_STATIC);
		has = d->lib.sqlite3_step(st) == SQLITE_ROW;
	}
	(void)d->lib.sqlite3_finalize(st);
	return has;
}

bool database_has(struct database *d, const char *table)
{
	return has_row(d,
		"SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ?1",
		table, NULL);
}

bool database_has_column(struct database *d, const char *table, const char *column)
{
	return database_has(d, table) &&
		has_row(d, "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2", table, column);
}

char *database_tables(struct database *d, const char *prefix)
{
	struct str all = { 0 };
	struct rows *r = NULL;
	struct err ignored;

	if (rows_open(&r, d,
		    "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 "
		    "ORDER BY name",
		    &ignored) != OK)
		r = NULL;
	while (rows_more(r)) {
		struct span name = rows_text(r, 0);

		if (name.p && span_starts(name, prefix) && !memchr(name.p, '"', name.n) &&
			!memchr(name.p, '\0', name.n)) {
			str_add(&all, name.p, name.n);
			str_addc(&all, '\0');
		}
	}
	rows_close(r);
	str_addc(&all, '\0');
	return all.s;
}

enum status rows_of(struct rows **r, struct database *d, const char *table,
	const char *const *columns, size_t n, struct err *e)
{
	static const char question[] = "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2";
	struct str sql = { 0 };

	*r = NULL;
	assert(n <= TABLE_COLUMNS);
	for (size_t i = 0; i < n; i++) {
		str_adds(&sql, i ? ", " : "SELECT ");
		if (columns[i] && has_row(d, question, table, columns[i]))
			str_addf(&sql, "\"%s\"", columns[i]);
		else
			str_adds(&sql, "NULL");
	}
	str_addf(&sql, " FROM \"%s\"", table);
	enum status st = rows_open(r, d, sql.s, e);
	str_free(&sql);
	return st;
}

enum status rows_open(struct rows **out, struct database *d, const char *sql, struct err *e)
{
	struct rows *r = xcalloc(1, sizeof(*r));

	*out = NULL;
	r->d = d;
	if (d->lib.sqlite3_prepare_v2(d->db, sql, -1, &r->st, NULL) != SQLITE_OK) {
		free(r);
		return failed(d, e);
	}
	*out = r;
	return OK;
}

void rows_close(struct rows *r)
{
	if (r)
		(void)r->d->lib.sqlite3_finalize(r->st);
	free(r);
}

void rows_again(struct rows *r, int64_t value)
{
	(void)r->d->lib.sqlite3_reset(r->st);
	(void)r->d->lib.sqlite3_bind_int64(r->st, 1, value);
}

enum status rows_next(struct rows *r, bool *there, struct err *e)
{
	int code = r->d->lib.sqlite3_step(r->st);

	*there = code == SQLITE_ROW;
	return *there || code == SQLITE_DONE ? OK : failed(r->d, e);
}

struct rows *rows_if(struct database *d, const char *table, const char *const *columns, size_t n)
{
	struct rows *r = NULL;
	struct err ignored;

	if (database_has(d, table) && rows_of(&r, d, table, columns, n, &ignored) != OK)
		return NULL;
	return r;
}

bool rows_more(struct rows *r)
{
	struct err ignored;
	bool there = false;

	return r && rows_next(r, &there, &ignored) == OK && there;
}

bool rows_is_null(const struct rows *r, int column)
{
	return r->d->lib.sqlite3_column_type(r->st, column) == SQLITE_NULL;
}

bool rows_take_int(const struct rows *r, int column, int64_t *v)
{
	if (r->d->lib.sqlite3_column_type(r->st, column) != SQLITE_INTEGER)
		return false;
	*v = r->d->lib.sqlite3_column_int64(r->st, column);
	return true;
}

int64_t rows_int(const struct rows *r, int column, int64_t otherwise)
{
	return rows_is_null(r, column) ? otherwise : r->d->lib.sqlite3_column_int64(r->st, column);
}

struct span rows_text(const struct rows *r, int column)
{
	const char *p = (const char *)r->d->lib.sqlite3_column_text(r->st, column);
	int n = r->d->lib.sqlite3_column_bytes(r->st, column);

	return p ? (struct span){ p, (size_t)n } : (struct span){ NULL, 0 };
}
