/*
 * The tables of `batch`, which tables.def describes.
 */
#include "analyze/answer/batch/batch.h"

#define TABLES_DEF "analyze/answer/batch/tables.def"
#include "base/table_rows_impl.h"
