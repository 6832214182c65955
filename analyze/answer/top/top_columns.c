/*
 * The tables of `top`, which top_tables.def describes.
 */
#include "analyze/answer/top/top.h"

#define TABLES_DEF "analyze/answer/top/top_tables.def"
#include "base/table_rows_impl.h"
