/*
 * The tables of `diagnose`, which tables.def describes.
 */
#include "analyze/answer/diagnose/diagnose.h"
#include "analyze/measure/stretch.h"
#include "analyze/measure/verdict.h"

#define TABLES_DEF "analyze/answer/diagnose/tables.def"
#include "base/table_rows_impl.h"
