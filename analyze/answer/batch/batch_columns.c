/*
 * The tables of `batch`, which batch_tables.def describes.
 */
#include "analyze/answer/batch/batch.h"

#define TABLES_DEF "analyze/answer/batch/batch_tables.def"
#include "base/table_rows_impl.h"
