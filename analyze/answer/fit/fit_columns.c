/*
 * The tables of `fit`, which fit_tables.def describes.
 */
#include "analyze/answer/fit/fit.h"

#define TABLES_DEF "analyze/answer/fit/fit_tables.def"
#include "base/table_rows_impl.h"
