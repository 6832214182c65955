/*
 * The tables of `kernels`, which kernels_tables.def describes.
 */
#include "analyze/answer/kernels/kernels.h"

#define TABLES_DEF "analyze/answer/kernels/kernels_tables.def"
#include "base/table_rows_impl.h"
