/*
 * The tables of `check`, which tables.def describes.
 */
#include "analyze/answer/check/check.h"

#define TABLES_DEF "analyze/answer/check/tables.def"
#include "base/table_rows_impl.h"
