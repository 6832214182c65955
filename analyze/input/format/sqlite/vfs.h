/*
 * The files of one database as SQLite's file system: it can open them and nothing else, and write
 * to none on disk.
 */
#ifndef ANALYZE_INPUT_FORMAT_SQLITE_VFS_H
#define ANALYZE_INPUT_FORMAT_SQLITE_VFS_H

#include <sqlite3.h>

#include "analyze/input/format/sqlite/libsqlite.h"
#include "analyze/input/format/sqlite/stored.h"

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

/*
 * Makes it known to SQLite under v->name; false when SQLite has no file system to go by.  *v must
 * stay where it is.  Temporary files, which have no name, are SQLite's own business.
 */
bool vfs_open(struct vfs *v, const struct libsqlite *lib, struct stored *stored);
void vfs_close(struct vfs *v);

#endif
