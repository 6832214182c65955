/*
 * The tables of `info`, which info_tables.def describes.
 */
#include "analyze/answer/info/info.h"

#define TABLES_DEF "analyze/answer/info/info_tables.def"
#include "base/table_rows_impl.h"
