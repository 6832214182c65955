/*
 * The tables of `steps`, which steps_tables.def describes.
 */
#include "analyze/answer/steps/steps.h"

#define TABLES_DEF "analyze/answer/steps/steps_tables.def"
#include "base/table_rows_impl.h"
