/*
 * The tables of `check`, which check_tables.def describes.
 */
#include "analyze/answer/check/check.h"

#define TABLES_DEF "analyze/answer/check/check_tables.def"
#include "base/table_rows_impl.h"
