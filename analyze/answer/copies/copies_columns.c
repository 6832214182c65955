/*
 * The tables of `copies`, which copies_tables.def describes.
 */
#include "analyze/answer/copies/copies.h"

#define TABLES_DEF "analyze/answer/copies/copies_tables.def"
#include "base/table_rows_impl.h"
