/*
 * Databases whose tables are traces, and the list of them.
 */
#ifndef ANALYZE_INPUT_FORMAT_SQLITE_DB_SCHEMA_H
#define ANALYZE_INPUT_FORMAT_SQLITE_DB_SCHEMA_H

#include <stdbool.h>

#include "base/err.h"

struct database;
struct emit_sink;
struct format_input;

struct schema {
	const char *name;  /* "nsys" */
	const char *title; /* "Nsight Systems export" */
	bool (*is)(struct database *d);

	/* As struct format's. */
	enum status (*read)(
		struct database *d, struct format_input *in, struct emit_sink *out, struct err *e);
};

#define SCHEMAS(X) X(nsys) X(rocpd)

#define X(name)    extern const struct schema schema_##name;
SCHEMAS(X)
#undef X

#endif
