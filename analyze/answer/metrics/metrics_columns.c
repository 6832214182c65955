/*
 * The tables of `metrics`, which metrics_tables.def describes.
 */
#include "analyze/answer/metrics/metrics.h"

#define TABLES_DEF "analyze/answer/metrics/metrics_tables.def"
#include "base/table_rows_impl.h"
