/*
 * The tables of `idle`, which idle_tables.def describes.
 */
#include "analyze/answer/idle/idle.h"
#include "analyze/measure/place_id.h"
#include "analyze/measure/gaps/gap_cause.h"

#define TABLES_DEF "analyze/answer/idle/idle_tables.def"
#include "base/table_rows_impl.h"
