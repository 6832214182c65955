/*
 * The tables of `diagnose`, which diagnose_tables.def describes.
 */
#include "analyze/answer/diagnose/diagnose.h"
#include "analyze/measure/place_id.h"
#include "analyze/measure/verdict.h"

#define TABLES_DEF "analyze/answer/diagnose/diagnose_tables.def"
#include "base/table_rows_impl.h"
