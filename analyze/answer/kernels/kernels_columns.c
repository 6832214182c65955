/*
 * The tables of `kernels`, which tables.def describes.
 */
#include "analyze/answer/kernels/kernels.h"

#define TABLES_DEF "analyze/answer/kernels/tables.def"
#include "base/table_rows_impl.h"
