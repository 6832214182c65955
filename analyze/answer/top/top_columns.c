/*
 * The tables of `top`, which tables.def describes.
 */
#include "analyze/answer/top/top.h"

#define TABLES_DEF "analyze/answer/top/tables.def"
#include "base/table_rows_impl.h"
