/*
 * The tables of `stacks`, which tables.def describes.
 */
#include "analyze/answer/stacks/stacks.h"

#define TABLES_DEF "analyze/answer/stacks/tables.def"
#include "base/table_rows_impl.h"
