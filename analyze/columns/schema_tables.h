/* All tables of the schema. */
#pragma once

#include "analyze/columns/schema.h"

extern const struct schema_table schema_tables[SCHEMA_TABLES];

/* The table of that name, case ignored as SQL does; NULL. */
const struct schema_table *schema_find(struct span name);

/* What a run is to be loaded with for all tables (enum need). */
unsigned schema_needs_all(void);

/* The schema as a page of Markdown, docs/schema.md. */
void schema_page(struct str *out);
