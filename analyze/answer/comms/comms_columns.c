/*
 * The tables of `comms`, which comms_tables.def describes.
 */
#include "analyze/answer/comms/comms.h"

#define TABLES_DEF "analyze/answer/comms/comms_tables.def"
#include "base/table_rows_impl.h"
