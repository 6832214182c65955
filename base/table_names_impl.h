/* First reading of a file of tables: the names of its tables and columns.
 *
 * A tables.def is data: every column of every table of one answer, once.  Define TABLES_DEF as its
 * path and include this in the answer's header; table_rows_impl.h reads the same file in one .c.
 * Its rows, in the order in which tables and columns are shown:
 *
 *   TABLES(name, NAME)           begins: name_docs[] is a struct table_doc for each table,
 *                                name_notes[] a struct note_doc for each note
 *   TABLE(index, id, title)      a table: index becomes an enumerator; title may be NULL
 *   COLUMN(index, key, title, type, unit, flag, doc [, source] [, .words = ...])
 *                                its column: index becomes an enumerator; type, unit and flag as
 *                                CELL_INT, UNIT_NS and COLUMN_HIDDEN end: INT, NS, HIDDEN; further
 *                                members of struct column by name
 *   END(PREFIX)                  its end: PREFIX_COLUMNS is how many columns it has
 *   TWIN(index, id, title) ... END_TWIN(PREFIX)
 *                                a table with the indexes of the one named PREFIX, which mean other
 *                                things in it
 *   SAME(index, of, id, title)   a table with the columns of table `of`
 *   BORROWED(index, columns, n, id, title)
 *                                a table of n columns that stand elsewhere
 *   NOTE(id, meaning)            a note that this answer alone makes, for `explain`
 *   END_TABLES(name, NAME)       ends: NAME_TABLES is how many tables there are
 *
 * Sources and texts of several rows are macros above them; so are rows of several tables. */
#include "base/table_row.h"

/* clang-format off */
#define TABLES(name, NAME) \
	extern const struct table_doc name##_docs[]; \
	extern const struct note_doc name##_notes[];
#define NOTE(id, meaning)
#define TABLE(index, id, title) enum {
#define COLUMN(index, ...) index,
#define END(prefix) prefix##_COLUMNS };
#define TWIN(index, id, title) _Static_assert(sizeof((const int[]) {
#define END_TWIN(prefix) }) == sizeof(int[prefix##_COLUMNS]), "as many columns as its twin");
#define SAME(index, of, id, title)
#define BORROWED(index, columns, n, id, title)
#define END_TABLES(name, NAME)
#include TABLES_DEF
#include "base/table_done_impl.h"

#define TABLES(name, NAME) enum name##_table {
#define NOTE(id, meaning)
#define TABLE(index, id, title) index,
#define COLUMN(index, ...)
#define END(prefix)
#define TWIN(index, id, title) index,
#define END_TWIN(prefix)
#define SAME(index, of, id, title) index,
#define BORROWED(index, columns, n, id, title) index,
#define END_TABLES(name, NAME) NAME##_TABLES };
#include TABLES_DEF
#include "base/table_done_impl.h"
#undef TABLES_DEF
/* clang-format on */
