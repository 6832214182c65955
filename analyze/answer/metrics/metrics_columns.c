/*
 * The tables of `metrics`, which tables.def describes.
 */
#include "analyze/answer/metrics/metrics.h"

#define TABLES_DEF "analyze/answer/metrics/tables.def"
#include "base/table_rows_impl.h"
