/*
 * The tables of `hang`, which hang_tables.def describes.
 */
#include "analyze/answer/hang/hang.h"

#define TABLES_DEF "analyze/answer/hang/hang_tables.def"
#include "base/table_rows_impl.h"
