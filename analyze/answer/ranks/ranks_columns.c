/*
 * The tables of `ranks`, which tables.def describes.
 */
#include "analyze/answer/ranks/ranks.h"

#define TABLES_DEF "analyze/answer/ranks/tables.def"
#include "base/table_rows_impl.h"
