/*
 * The tables of `stacks`, which stacks_tables.def describes.
 */
#include "analyze/answer/stacks/stacks.h"

#define TABLES_DEF "analyze/answer/stacks/stacks_tables.def"
#include "base/table_rows_impl.h"
