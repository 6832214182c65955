/*
 * The tables of `diff`, which diff_tables.def describes.
 */
#include "analyze/answer/diff/diff.h"

#define TABLES_DEF "analyze/answer/diff/diff_tables.def"
#include "base/table_rows_impl.h"
