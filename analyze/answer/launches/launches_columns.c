/*
 * The tables of `launches`, which tables.def describes.
 */
#include "analyze/answer/launches/launches.h"

#define TABLES_DEF "analyze/answer/launches/tables.def"
#include "base/table_rows_impl.h"
