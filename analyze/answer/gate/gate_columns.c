/*
 * The tables of `gate`, which tables.def describes.
 */
#include "analyze/answer/gate/gate.h"

#define TABLES_DEF "analyze/answer/gate/tables.def"
#include "base/table_rows_impl.h"
