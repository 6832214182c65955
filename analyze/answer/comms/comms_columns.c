/*
 * The tables of `comms`, which tables.def describes.
 */
#include "analyze/answer/comms/comms.h"

#define TABLES_DEF "analyze/answer/comms/tables.def"
#include "base/table_rows_impl.h"
