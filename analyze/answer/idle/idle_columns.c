/*
 * The tables of `idle`, which tables.def describes.
 */
#include "analyze/answer/idle/idle.h"
#include "analyze/measure/stretch.h"
#include "analyze/measure/waits.h"

#define TABLES_DEF "analyze/answer/idle/tables.def"
#include "base/table_rows_impl.h"
