/*
 * The tables of `info`, which tables.def describes.
 */
#include "analyze/answer/info/info.h"

#define TABLES_DEF "analyze/answer/info/tables.def"
#include "base/table_rows_impl.h"
