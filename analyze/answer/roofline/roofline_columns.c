/*
 * The tables of `roofline`, which roofline_tables.def describes.
 */
#include "analyze/answer/roofline/roofline.h"

#define TABLES_DEF "analyze/answer/roofline/roofline_tables.def"
#include "base/table_rows_impl.h"
