/*
 * The tables of `hang`, which tables.def describes.
 */
#include "analyze/answer/hang/hang.h"

#define TABLES_DEF "analyze/answer/hang/tables.def"
#include "base/table_rows_impl.h"
