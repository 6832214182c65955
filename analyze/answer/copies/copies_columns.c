/*
 * The tables of `copies`, which tables.def describes.
 */
#include "analyze/answer/copies/copies.h"

#define TABLES_DEF "analyze/answer/copies/tables.def"
#include "base/table_rows_impl.h"
