/*
 * The tables of `critical`, which tables.def describes.
 */
#include "analyze/answer/critical/critical.h"
#include "analyze/measure/stretch.h"

#define TABLES_DEF "analyze/answer/critical/tables.def"
#include "base/table_rows_impl.h"
