/*
 * What `--json` writes, as JSON Schema: one for each command whose answer is tables.
 */
#ifndef CMD_HELP_SCHEMAS_H
#define CMD_HELP_SCHEMAS_H

#include "base/table.h"

struct output_options;

/* Columns of the table that lists them. */
enum { SCHEMAS_COLUMNS = 3 };
extern const struct column schemas_columns[SCHEMAS_COLUMNS];
#define SCHEMAS_TABLE "schemas"

/*
 * `explain --schema`: prints the schema of that answer, or without a name the list of them. Returns
 * the exit code; errors have been said.
 */
struct commands;
int schemas_explain(const struct commands *all, const struct output_options *o, const char *name);

#endif
