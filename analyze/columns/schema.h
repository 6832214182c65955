/* The schema: tables of what a run holds, as people's own tools ask for them (SQL, Parquet).
 *
 * schema.def is data: each table and each of its columns, once, with what is read for a row of it.
 * docs/schema.md is what `traceq sql --schema --format md` prints.  Keys mean what they mean in
 * `--json`; times are whole ns.  A change of what is there, or of what it means, is a new
 * SCHEMA_VERSION; a new column is not. */
#pragma once

#include "base/table.h"

enum { SCHEMA_VERSION = 1 };

struct columns;

enum schema_type { SCHEMA_I64, SCHEMA_REAL, SCHEMA_TEXT, SCHEMA_BOOL, SCHEMA_TYPE_COUNT };

/* What the ids of texts mean. */
enum schema_dictionary {
	DICTIONARY_NAMES, /* texts of the run (run.strings) */
	DICTIONARY_OWN,   /* texts of the tables themselves: files, series, findings */
	DICTIONARY_KINDS, /* the others are words of a few */
	DICTIONARY_CLASSES,
	DICTIONARY_CAUSES,
	DICTIONARY_COLLECTIVES,
	DICTIONARY_DIRECTIONS,
	DICTIONARY_MEMORIES,
	DICTIONARY_AXES,
	DICTIONARY_COUNT
};

/* Nothing in a cell of that type; of SCHEMA_REAL it is NaN. */
#define SCHEMA_NO_INT  INT64_MIN
#define SCHEMA_NO_TEXT UINT32_MAX

/* A cell by its row; of SCHEMA_BOOL 0 or 1. */
typedef int64_t schema_int_fn(const struct columns *c, size_t row);
typedef double schema_real_fn(const struct columns *c, size_t row);
typedef uint32_t schema_text_fn(const struct columns *c, size_t row);

struct schema_column {
	const char *key;
	enum schema_type type;
	enum unit unit;                    /* of numbers */
	enum schema_dictionary dictionary; /* of texts */
	bool can_be_null;
	unsigned needs; /* enum need, beside those of its table */
	const char *doc;
	union {
		schema_int_fn *i64; /* of SCHEMA_BOOL, too */
		schema_real_fn *real;
		schema_text_fn *text;
	} at;
	/* n cells from row `from` on into an array of int64_t, double or uint32_t. */
	void (*fill)(const struct columns *c, size_t from, size_t n, void *to);
};

struct schema_table {
	const char *name, *doc;
	unsigned needs; /* enum need: what a run is loaded with, that its rows are there */
	const struct schema_column *column;
	size_t n;
};

/* SCHEMA_EVENTS, ... */
enum schema_table_id {
#define TABLE(name, ...) SCHEMA_##name,
#define END(name)
#define COLUMN(...)
#include "analyze/columns/schema.def"
	SCHEMA_TABLES
};

/* "int64", "double", "text", "bool"; constant. */
const char *schema_type_word(enum schema_type t);
