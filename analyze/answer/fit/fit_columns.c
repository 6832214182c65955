/*
 * The tables of `fit`, which tables.def describes.
 */
#include "analyze/answer/fit/fit.h"

#define TABLES_DEF "analyze/answer/fit/tables.def"
#include "base/table_rows_impl.h"
