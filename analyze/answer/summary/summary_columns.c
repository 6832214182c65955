/*
 * The tables of `summary`, which tables.def describes.
 */
#include "analyze/answer/summary/summary.h"

#define TABLES_DEF "analyze/answer/summary/tables.def"
#include "base/table_rows_impl.h"
