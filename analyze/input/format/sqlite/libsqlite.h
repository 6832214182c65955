/* SQLite's calls, found when a database is first met. */
#pragma once

#include <sqlite3.h>

#include "analyze/input/source/library.h"

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
