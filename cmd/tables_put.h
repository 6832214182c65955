/*
 * An answer written, all of it or one of its tables.
 */
#ifndef CMD_TABLES_PUT_H
#define CMD_TABLES_PUT_H

#include "base/err.h"

struct analysis;
struct output_options;
struct renderer;
struct result;

/*
 * Writes the answer as output_put does: the table of --table alone; in a format that is one table
 * the analysis' main one, with a word on stderr about the others; each into a file of its own where
 * -o is a folder, which is made.  E_NODATA when the answer lacks the table.
 */
enum status tables_put(const struct output_options *o, const struct renderer *renderer,
	const struct analysis *a, const struct result *r, struct err *e) MUST_CHECK;

#endif
