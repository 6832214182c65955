/*
 * The tables of `stages`, which stages_tables.def describes.
 */
#include "analyze/answer/stages/stages.h"

#define TABLES_DEF "analyze/answer/stages/stages_tables.def"
#include "base/table_rows_impl.h"
