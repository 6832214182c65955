/*
 * What `--json` writes, as JSON Schema: one for each command whose answer is tables.
 */
#ifndef CMD_HELP_SCHEMAS_H
#define CMD_HELP_SCHEMAS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/table.h"

struct output_options;
struct renderer;

/* Columns of the table that lists them. */
enum { SCHEMAS_COLUMNS = 3 };
extern const struct column schemas_columns[SCHEMAS_COLUMNS];
#define SCHEMAS_TABLE "schemas"

/* Appends the schema of that command's answer; "traceq.NAME/1" means it too.  False: it has none.
 */
bool schemas_put(struct str *b, const char *name);

/*
 * `explain --schema`: prints the schema of that answer, or without a name the list of them. Returns
 * the exit code; errors have been said.
 */
int schemas_explain(
	const struct output_options *o, const struct renderer *renderer, const char *name);

/* Appends their names, one a line. */
void schemas_names(struct str *out);

#endif
