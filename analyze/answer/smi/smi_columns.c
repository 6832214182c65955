/*
 * The tables of `smi`, which tables.def describes.
 */
#include "analyze/answer/smi/smi.h"

#define TABLES_DEF "analyze/answer/smi/tables.def"
#include "base/table_rows_impl.h"
