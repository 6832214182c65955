/*
 * The tables of `diff`, which tables.def describes.
 */
#include "analyze/answer/diff/diff.h"

#define TABLES_DEF "analyze/answer/diff/tables.def"
#include "base/table_rows_impl.h"
