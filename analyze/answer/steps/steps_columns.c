/*
 * The tables of `steps`, which tables.def describes.
 */
#include "analyze/answer/steps/steps.h"

#define TABLES_DEF "analyze/answer/steps/tables.def"
#include "base/table_rows_impl.h"
