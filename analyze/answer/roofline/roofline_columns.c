/*
 * The tables of `roofline`, which tables.def describes.
 */
#include "analyze/answer/roofline/roofline.h"

#define TABLES_DEF "analyze/answer/roofline/tables.def"
#include "base/table_rows_impl.h"
