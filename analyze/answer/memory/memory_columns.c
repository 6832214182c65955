/*
 * The tables of `memory`, which tables.def describes.
 */
#include "analyze/answer/memory/memory.h"

#define TABLES_DEF "analyze/answer/memory/tables.def"
#include "base/table_rows_impl.h"
