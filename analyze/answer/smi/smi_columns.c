/*
 * The tables of `smi`, which smi_tables.def describes.
 */
#include "analyze/answer/smi/smi.h"

#define TABLES_DEF "analyze/answer/smi/smi_tables.def"
#include "base/table_rows_impl.h"
