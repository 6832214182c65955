/* Second reading of a file of tables: its columns with what they mean, name_docs[] and
 * name_notes[]; table_names_impl.h says what the file holds.  The Makefile compiles this for
 * each answer/NAME/NAME_tables.def, behind NAME.h, with TABLES_OF as its path.  Others define
 * TABLES_DEF as a path and include it in one .c; TABLES_LINKAGE, which is static, is that of
 * columns_INDEX[]. */
#include "base/base.h"

#ifdef TABLES_OF
#define TABLES_DEF TABLES_OF
#endif

#ifndef TABLES_LINKAGE
#define TABLES_LINKAGE static
#endif

/* clang-format off */
#define TABLES(name, NAME)
#define NOTE(id, meaning)
#define TABLE(index, id, title) TABLES_LINKAGE const struct column columns_##index[] = {
/* .source is the member behind .doc, and may be left out; so may .words and those behind it. */
#define COLUMN(index, key_, title_, type_, unit_, flag_, ...) \
	[index] = { .key = key_, .title = title_, .type = CELL_##type_, .unit = UNIT_##unit_, \
		.flags = COLUMN_##flag_, .doc = __VA_ARGS__ },
#define END(prefix) };
#define TWIN(index, id, title) TABLE(index, id, title)
#define END_TWIN(prefix) };
#define SAME(index, of, id, title)
#define BORROWED(index, columns, n, id, title)
#define END_TABLES(name, NAME)
#include TABLES_DEF
#include "base/table_done_impl.h"

#define TABLES(name, NAME) const struct table_doc name##_docs[] = {
#define NOTE(id, meaning)
#define TABLE(index, id, title) SAME(index, index, id, title)
#define COLUMN(index, ...)
#define END(prefix)
#define TWIN(index, id, title) SAME(index, index, id, title)
#define END_TWIN(prefix)
#define SAME(index, of, id, title) BORROWED(index, columns_##of, COUNT_OF(columns_##of), id, title)
#define BORROWED(index, columns, n, id, title) [index] = { id, title, columns, n },
#define END_TABLES(name, NAME) };
#include TABLES_DEF
#include "base/table_done_impl.h"

#define TABLES(name, NAME) const struct note_doc name##_notes[] = {
#define NOTE(id, meaning) { id, meaning },
#define TABLE(index, id, title)
#define COLUMN(index, ...)
#define END(prefix)
#define TWIN(index, id, title)
#define END_TWIN(prefix)
#define SAME(index, of, id, title)
#define BORROWED(index, columns, n, id, title)
#define END_TABLES(name, NAME) { NULL, NULL } };
#include TABLES_DEF
#include "base/table_done_impl.h"
#undef TABLES_DEF
#undef TABLES_LINKAGE
/* clang-format on */
