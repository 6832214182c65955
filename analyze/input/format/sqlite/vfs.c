/*
 * SQLite's calls for files, of version 1: no memory is shared, so that what a write-ahead log holds
 * is indexed in memory of this process (PRAGMA locking_mode = EXCLUSIVE), and nothing is mapped.
 */
#include "analyze/input/format/sqlite/vfs.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/minmax.h"

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

bool vfs_open(struct vfs *v, const struct libsqlite *lib, struct stored *stored)
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

void vfs_close(struct vfs *v)
{
	if (v->is_registered)
		(void)v->lib->sqlite3_vfs_unregister(&v->vfs);
	v->is_registered = false;
}
