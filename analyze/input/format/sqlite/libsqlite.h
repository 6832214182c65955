/*
 * SQLite's calls, found when a database is first met: a program that is linked to it starts more
 * slowly for every file that is none.
 */
#pragma once

#include <sqlite3.h>

#include "base/base.h"

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

struct libsqlite {
	void *handle;
#define X(call) __typeof__(call) *call;
	LIBSQLITE_CALLS(X)
#undef X
};

/* False where the library is not installed; libsqlite_close only after true. */
bool libsqlite_open(struct libsqlite *l);
void libsqlite_close(struct libsqlite *l);
