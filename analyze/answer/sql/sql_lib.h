/* SQLite's calls, found when a statement is first asked; private to sql_*.c. */
#pragma once

#include <sqlite3.h>

#include "base/program.h"

#define SQL_CALLS(X)                 \
	X(sqlite3_open_v2)           \
	X(sqlite3_close)             \
	X(sqlite3_exec)              \
	X(sqlite3_db_config)         \
	X(sqlite3_limit)             \
	X(sqlite3_hard_heap_limit64) \
	X(sqlite3_progress_handler)  \
	X(sqlite3_set_authorizer)    \
	X(sqlite3_create_module_v2)  \
	X(sqlite3_declare_vtab)      \
	X(sqlite3_vtab_collation)    \
	X(sqlite3_prepare_v2)        \
	X(sqlite3_finalize)          \
	X(sqlite3_step)              \
	X(sqlite3_stmt_readonly)     \
	X(sqlite3_column_count)      \
	X(sqlite3_column_name)       \
	X(sqlite3_column_type)       \
	X(sqlite3_column_int64)      \
	X(sqlite3_column_double)     \
	X(sqlite3_column_text)       \
	X(sqlite3_column_bytes)      \
	X(sqlite3_result_int64)      \
	X(sqlite3_result_double)     \
	X(sqlite3_result_text)       \
	X(sqlite3_value_type)        \
	X(sqlite3_value_int64)       \
	X(sqlite3_value_double)      \
	X(sqlite3_value_text)        \
	X(sqlite3_value_bytes)       \
	X(sqlite3_malloc)            \
	X(sqlite3_free)              \
	X(sqlite3_errmsg)            \
	X(sqlite3_errcode)

LIBRARY(libsql, "libsqlite3.so.0", SQL_CALLS)

/* Where a statement is wrong, since SQLite 3.38: older ones do without. */
#define SQL_PLACE_CALLS(X) X(sqlite3_error_offset)

LIBRARY(libsql_place, "libsqlite3.so.0", SQL_PLACE_CALLS)
