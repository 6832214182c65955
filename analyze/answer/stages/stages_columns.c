/*
 * The tables of `stages`, which tables.def describes.
 */
#include "analyze/answer/stages/stages.h"

#define TABLES_DEF "analyze/answer/stages/tables.def"
#include "base/table_rows_impl.h"
