/* The schema's tables and columns, and the page about them. */
#include "analyze/columns/schema_tables.h"

#include <strings.h>

#include "analyze/columns/row_values.h"

/* The cells of each column: one by one, and many at once. */
#define TABLE(...)
#define END(...)
#define CELLS(T, key, c_type)                                                                  \
	static void fill_##T##_##key(const struct columns *c, size_t from, size_t n, void *to) \
	{                                                                                      \
		c_type *v = to;                                                                \
                                                                                               \
		for (size_t i = 0; i < n; i++)                                                 \
			v[i] = at_##T##_##key(c, from + i);                                    \
	}
#define C_I64  int64_t
#define C_BOOL int64_t
#define C_REAL double
#define C_TEXT uint32_t
#define COLUMN(T, key, type, of, nulls, needs, doc, value)                              \
	static C_##type at_##T##_##key(const struct columns *c UNUSED, size_t i UNUSED) \
	{                                                                               \
		return (C_##type)(value);                                               \
	}                                                                               \
	CELLS(T, key, C_##type)
#include "analyze/columns/schema.def"

#define NULLS_SAID    false
#define NULLS_OPEN    true
#define AS_I64        i64
#define AS_BOOL       i64
#define AS_REAL       real
#define AS_TEXT       text
#define OF_I64(x)     .unit = UNIT_##x
#define OF_BOOL(x)    .unit = UNIT_##x
#define OF_REAL(x)    .unit = UNIT_##x
#define OF_TEXT(x)    .dictionary = DICTIONARY_##x
#define MEMBER(as)    .at.as
#define TABLE(T, ...) static const struct schema_column columns_of_##T[] = {
#define COLUMN(T, key_, type_, of_, nulls_, needs_, doc_, value) \
	{ .key = #key_,                                          \
		.type = SCHEMA_##type_,                          \
		OF_##type_(of_),                                 \
		.can_be_null = NULLS_##nulls_,                   \
		.needs = (needs_),                               \
		.doc = (doc_),                                   \
		MEMBER(AS_##type_) = at_##T##_##key_,            \
		.fill = fill_##T##_##key_ },
#define END(T) \
	}      \
	;
#include "analyze/columns/schema.def"

const struct schema_table schema_tables[SCHEMA_TABLES] = {
#define TABLE(T, name_, needs_, doc_)     \
	{ .name = (name_),                \
		.doc = (doc_),            \
		.needs = (needs_),        \
		.column = columns_of_##T, \
		.n = COUNT_OF(columns_of_##T) },
#define COLUMN(...)
#define END(T)
#include "analyze/columns/schema.def"
};

const struct schema_table *schema_find(struct span name)
{
	return FIND(i, schema_tables, SCHEMA_TABLES,
		strlen(schema_tables[i].name) == name.n &&
			strncasecmp(schema_tables[i].name, name.p, name.n) == 0);
}
