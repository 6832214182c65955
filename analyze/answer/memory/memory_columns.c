/*
 * The tables of `memory`, which memory_tables.def describes.
 */
#include "analyze/answer/memory/memory.h"

#define TABLES_DEF "analyze/answer/memory/memory_tables.def"
#include "base/table_rows_impl.h"
