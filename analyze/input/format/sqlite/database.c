/* Databases by SQLite. */
#include "analyze/input/format/sqlite/database.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdio.h>

#include "analyze/input/format/format.h"
#include "analyze/input/format/sqlite/stored.h"
#include "base/program.h"

/* SQLite's calls, found when a database is first met. */

#define LIBSQLITE_CALLS(X)          \
	X(sqlite3_open_v2)          \
	X(sqlite3_close)            \
	X(sqlite3_vfs_find)         \
	X(sqlite3_vfs_register)     \
	X(sqlite3_vfs_unregister)   \
	X(sqlite3_exec)             \
	X(sqlite3_db_config)        \
	X(sqlite3_limit)            \
	X(sqlite3_progress_handler) \
	X(sqlite3_prepare_v2)       \
	X(sqlite3_finalize)         \
	X(sqlite3_step)             \
	X(sqlite3_reset)            \
	X(sqlite3_bind_text)        \
	X(sqlite3_bind_int64)       \
	X(sqlite3_column_type)      \
	X(sqlite3_column_int64)     \
	X(sqlite3_column_text)      \
	X(sqlite3_column_blob)      \
	X(sqlite3_column_bytes)     \
	X(sqlite3_errmsg)           \
	X(sqlite3_errcode)

LIBRARY(libsqlite, "libsqlite3.so.0", LIBSQLITE_CALLS)

/* The files of one database as SQLite's file system: it can open them and nothing else, and write
 * to none on disk. */

enum { VFS_NAME_BYTES = 40 };

struct vfs {
	sqlite3_vfs vfs; /* first: SQLite gives a pointer to it back */
	const struct libsqlite *lib;
	struct stored *stored;
	char name[VFS_NAME_BYTES];
	bool is_registered;
};

/* What the database is called in it. */
#define VFS_DATABASE "database"

/* SQLite's calls for files, of version 1: no memory is shared, so that what a write-ahead log holds
 * is indexed in memory of this process (PRAGMA locking_mode = EXCLUSIVE), and nothing is mapped. */

enum { SECTOR_BYTES = 4096, VFS_PATH_BYTES = 512 };

/* Of the database, its log, its journal. */
struct opened {
	sqlite3_file file; /* first */
	struct stored_file *of;
};

static struct stored_file *of(sqlite3_file *file)
{
	return ((struct opened *)(void *)file)->of;
}

/* ---- a file ---- */

static int close_file(sqlite3_file *file UNUSED)
{
	return SQLITE_OK;
}

static int read_file(sqlite3_file *file, void *buf, int n, sqlite3_int64 at)
{
	int64_t got = stored_is_there(of(file)) ? stored_read(of(file), buf, n, at) : 0;

	if (got < 0)
		return SQLITE_IOERR_READ;
	if (got == n)
		return SQLITE_OK;
	memset((char *)buf + got, 0, (size_t)(n - got));
	return SQLITE_IOERR_SHORT_READ;
}

/* What is written is a database that is rolled back in memory, or the end of its journal. */
static int write_file(sqlite3_file *file, const void *buf, int n, sqlite3_int64 at)
{
	return stored_write(of(file), buf, n, at) ? SQLITE_OK : SQLITE_IOERR_WRITE;
}

static int write_nothing(
	sqlite3_file *file UNUSED, const void *buf UNUSED, int n UNUSED, sqlite3_int64 at UNUSED)
{
	return SQLITE_OK;
}

static int cut_file(sqlite3_file *file, sqlite3_int64 n)
{
	return stored_cut(of(file), n) ? SQLITE_OK : SQLITE_IOERR_TRUNCATE;
}

static int cut_nothing(sqlite3_file *file UNUSED, sqlite3_int64 n UNUSED)
{
	return SQLITE_OK;
}

static int do_nothing(sqlite3_file *file UNUSED, int what UNUSED)
{
	return SQLITE_OK;
}

static int size_of_file(sqlite3_file *file, sqlite3_int64 *n)
{
	*n = of(file)->n;
	return SQLITE_OK;
}

static int is_reserved(sqlite3_file *file UNUSED, int *is)
{
	*is = 0;
	return SQLITE_OK;
}

static int control(sqlite3_file *file UNUSED, int what UNUSED, void *arg UNUSED)
{
	return SQLITE_NOTFOUND;
}

static int sector_bytes(sqlite3_file *file UNUSED)
{
	return SECTOR_BYTES;
}

static int traits(sqlite3_file *file UNUSED)
{
	return 0;
}

static const sqlite3_io_methods of_database = { 1, close_file, read_file, write_file, cut_file,
	do_nothing, size_of_file, do_nothing, do_nothing, is_reserved, control, sector_bytes,
	traits, NULL, NULL, NULL, NULL, NULL, NULL };
static const sqlite3_io_methods of_journal = { 1, close_file, read_file, write_nothing, cut_nothing,
	do_nothing, size_of_file, do_nothing, do_nothing, is_reserved, control, sector_bytes,
	traits, NULL, NULL, NULL, NULL, NULL, NULL };

/* ---- the file system ---- */

static struct vfs *own(sqlite3_vfs *v)
{
	return (struct vfs *)(void *)v;
}

static sqlite3_vfs *system_of(sqlite3_vfs *v)
{
	return v->pAppData;
}

static struct stored_file *by_name(struct stored *s, const char *name)
{
	if (strcmp(name, VFS_DATABASE) == 0)
		return &s->database;
	if (strcmp(name, VFS_DATABASE "-wal") == 0)
		return &s->wal;
	return strcmp(name, VFS_DATABASE "-journal") == 0 ? &s->journal : NULL;
}

/* A log may be asked for that is not there: then it is empty, and stays so. */
static int open_file(
	sqlite3_vfs *v, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
	struct stored *s = own(v)->stored;
	struct opened *o = (struct opened *)(void *)file;

	file->pMethods = NULL;
	if (!name)
		return system_of(v)->xOpen(system_of(v), name, file, flags, out_flags);
	struct stored_file *f = by_name(s, name);
	if (!f || (f == &s->database && !stored_is_there(f)))
		return SQLITE_CANTOPEN;
	o->of = f;
	file->pMethods = f == &s->database ? &of_database : &of_journal;
	if (out_flags && f == &s->wal)
		*out_flags = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) |
			SQLITE_OPEN_READONLY;
	else if (out_flags)
		*out_flags = flags;
	return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *v UNUSED, const char *name UNUSED, int sync_folder UNUSED)
{
	return SQLITE_OK;
}

/* Names beside those are of a journal of several databases. */
static int access_file(sqlite3_vfs *v, const char *name, int flags UNUSED, int *is)
{
	struct stored *s = own(v)->stored;

	assert(s);
	const struct stored_file *f = by_name(s, name);
	*is = f && stored_is_there(f);
	if (f)
		return SQLITE_OK;
	s->asks_further = true;
	return SQLITE_IOERR_ACCESS;
}

static int full_name(sqlite3_vfs *v UNUSED, const char *name, int n, char *out)
{
	return snprintf(out, (size_t)n, "%s", name) < n ? SQLITE_OK : SQLITE_CANTOPEN;
}

static int randomness(sqlite3_vfs *v, int n, char *out)
{
	return system_of(v)->xRandomness(system_of(v), n, out);
}

static int sleep_for(sqlite3_vfs *v, int us)
{
	return system_of(v)->xSleep(system_of(v), us);
}

static int now(sqlite3_vfs *v, double *days)
{
	return system_of(v)->xCurrentTime(system_of(v), days);
}

static int last_error(sqlite3_vfs *v UNUSED, int n, char *out)
{
	if (n > 0 && out)
		*out = '\0';
	return 0;
}

/* Makes it known to SQLite under v->name; false when SQLite has no file system to go by.  *v must
 * stay where it is.  Temporary files, which have no name, are SQLite's own business. */
static bool vfs_open(struct vfs *v, const struct libsqlite *lib, struct stored *stored)
{
	sqlite3_vfs *system = lib->sqlite3_vfs_find(NULL);
	int own_bytes = (int)sizeof(struct opened);

	*v = (struct vfs){ .lib = lib, .stored = stored };
	if (!system)
		return false;
	(void)snprintf(v->name, sizeof(v->name), "traceq-%p", (void *)v);
	v->vfs = (sqlite3_vfs){
		.iVersion = 1,
		.szOsFile = MAX(system->szOsFile, own_bytes),
		.mxPathname = VFS_PATH_BYTES,
		.zName = v->name,
		.pAppData = system,
		.xOpen = open_file,
		.xDelete = delete_file,
		.xAccess = access_file,
		.xFullPathname = full_name,
		.xRandomness = randomness,
		.xSleep = sleep_for,
		.xCurrentTime = now,
		.xGetLastError = last_error,
	};
	v->is_registered = lib->sqlite3_vfs_register(&v->vfs, 0) == SQLITE_OK;
	return v->is_registered;
}

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
	if (d->overworked)
		return err_hinted(e, E_SYNTAX, "sqlite3 FILE 'PRAGMA integrity_check' says more",
			"damaged database: it takes more work than its size explains");
	if (d->stored.asks_further)
		return err_hinted(e, E_FORMAT, "sqlite3 FILE 'PRAGMA quick_check' rolls it back",
			"a transaction in it never ended that was in other databases, too");
	if (d->lib.sqlite3_errcode(d->db) == SQLITE_NOMEM) /* a damaged length asks for that, too */
		return err_hinted(e, E_SYNTAX,
			"sqlite3 FILE 'PRAGMA integrity_check' says whether it is damaged",
			"SQLite cannot get as much memory as this database asks for");
	return err_hinted(e, E_SYNTAX,
		"export it again; sqlite3 FILE 'PRAGMA integrity_check' says more",
		"damaged database: SQLite says \"%s\"", d->lib.sqlite3_errmsg(d->db));
}

static int count_work(void *ctx)
{
	struct database *d = ctx;

	d->work_left -= WORK_PIECE;
	d->overworked |= d->work_left < 0;
	return d->overworked;
}

/* Its files are SQLite's.  A journal is rolled back in memory, and a log is read where it lies. */
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
		return err_hinted(e, E_FORMAT, "install it: package libsqlite3-0",
			"an SQLite database, and SQLite is not installed here");
	}
	d->work_left = WORK_AT_LEAST;
	enum status st = stored_open(&d->stored, in, e);
	THEN(st, open_stored(d, e));
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
	if (d->vfs.is_registered)
		(void)d->vfs.lib->sqlite3_vfs_unregister(&d->vfs.vfs);
	d->vfs.is_registered = false;
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

	if (rows_open(&r, d,
		    "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 "
		    "ORDER BY name",
		    &(struct err){ 0 }) != OK)
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
	SCOPED_STR sql = { 0 };

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
	return rows_open(r, d, sql.s, e);
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

	if (database_has(d, table) && rows_of(&r, d, table, columns, n, &(struct err){ 0 }) != OK)
		return NULL;
	return r;
}

bool rows_more(struct rows *r)
{
	bool there = false;

	return r && rows_next(r, &there, &(struct err){ 0 }) == OK && there;
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

int64_t database_count(struct database *d, const char *table)
{
	SCOPED_STR sql = { 0 };
	struct rows *r = NULL;
	int64_t count = -1;

	if (!database_has(d, table))
		return -1;
	str_addf(&sql, "SELECT count(*) FROM \"%s\"", table);
	if (rows_open(&r, d, sql.s, &(struct err){ 0 }) == OK && rows_more(r))
		count = rows_int(r, 0, -1);
	rows_close(r);
	return count;
}
