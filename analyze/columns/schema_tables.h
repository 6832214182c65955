/* All tables of the schema. */
#pragma once

#include "analyze/columns/schema.h"

extern const struct schema_table schema_tables[SCHEMA_TABLES];

/* The table of that name, case ignored as SQL does; NULL. */
const struct schema_table *schema_find(struct span name);
