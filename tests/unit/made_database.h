/* SQLite databases for tests: from SQL to the bytes of a file. */
#pragma once

#include <dlfcn.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/str.h"

/* Appends the file that the statements make; false, with SQLite's words on stderr, when they fail
 * or SQLite is not installed. */
static inline bool made_database(struct str *file, const char *sql)
{
	void *lib = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
#define LOOK_UP(call)                    \
	__typeof__(call) *call##_found = \
		lib ? (__typeof__(call) *)(uintptr_t)dlsym(lib, #call) : NULL
	LOOK_UP(sqlite3_open_v2);
	LOOK_UP(sqlite3_exec);
	LOOK_UP(sqlite3_serialize);
	LOOK_UP(sqlite3_free);
	LOOK_UP(sqlite3_close);
#undef LOOK_UP
	sqlite3 *db = NULL;
	sqlite3_int64 n = 0;
	unsigned char *bytes = NULL;
	char *error = NULL;

	if (!sqlite3_open_v2_found || !sqlite3_exec_found || !sqlite3_serialize_found ||
		!sqlite3_free_found || !sqlite3_close_found)
		return false;
	if (sqlite3_open_v2_found(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
		    NULL) == SQLITE_OK &&
		sqlite3_exec_found(db, sql, NULL, NULL, &error) == SQLITE_OK)
		bytes = sqlite3_serialize_found(db, "main", &n, 0);
	if (bytes)
		str_add(file, (const char *)bytes, (size_t)n);
	else
		fprintf(stderr, "made_database: %s\n", error ? error : "cannot be made");
	sqlite3_free_found(bytes);
	sqlite3_free_found(error);
	(void)sqlite3_close_found(db);
	(void)dlclose(lib);
	return bytes != NULL;
}
