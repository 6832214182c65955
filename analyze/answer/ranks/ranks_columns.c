/*
 * The tables of `ranks`, which ranks_tables.def describes.
 */
#include "analyze/answer/ranks/ranks.h"

#define TABLES_DEF "analyze/answer/ranks/ranks_tables.def"
#include "base/table_rows_impl.h"
