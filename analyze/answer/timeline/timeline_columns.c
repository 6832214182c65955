/*
 * The tables of `timeline`, which tables.def describes.
 */
#include "analyze/answer/timeline/timeline.h"

#define TABLES_DEF "analyze/answer/timeline/tables.def"
#include "base/table_rows_impl.h"
