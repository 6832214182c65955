/*
 * The tables of `gate`, which gate_tables.def describes.
 */
#include "analyze/answer/gate/gate.h"

#define TABLES_DEF "analyze/answer/gate/gate_tables.def"
#include "base/table_rows_impl.h"
