/*
 * The tables of `critical`, which critical_tables.def describes.
 */
#include "analyze/answer/critical/critical.h"
#include "analyze/measure/place_id.h"

#define TABLES_DEF "analyze/answer/critical/critical_tables.def"
#include "base/table_rows_impl.h"
