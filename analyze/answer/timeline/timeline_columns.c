/*
 * The tables of `timeline`, which timeline_tables.def describes.
 */
#include "analyze/answer/timeline/timeline.h"

#define TABLES_DEF "analyze/answer/timeline/timeline_tables.def"
#include "base/table_rows_impl.h"
