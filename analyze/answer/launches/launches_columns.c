/*
 * The tables of `launches`, which launches_tables.def describes.
 */
#include "analyze/answer/launches/launches.h"

#define TABLES_DEF "analyze/answer/launches/launches_tables.def"
#include "base/table_rows_impl.h"
