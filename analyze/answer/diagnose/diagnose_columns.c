/*
 * The tables of `diagnose`, which tables.def describes.
 */
#include "analyze/answer/diagnose/diagnose.h"

#define TABLES_DEF "analyze/answer/diagnose/tables.def"
#include "base/table_rows_impl.h"
