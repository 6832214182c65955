/*
 * The tables of `summary`, which summary_tables.def describes.
 */
#include "analyze/answer/summary/summary.h"

#define TABLES_DEF "analyze/answer/summary/summary_tables.def"
#include "base/table_rows_impl.h"
