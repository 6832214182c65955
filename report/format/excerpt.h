/* Excerpt: a result as JSON of bounded size, for readers who pay by the word.
 *
 * Of each table the first rows, then a cursor for what follows; absent cells are left out, reals
 * have six digits, and texts that are very long are cut in the middle.  Whole answers are
 * renderer_json's business. */
#pragma once

#include "report/format/renderer.h"

enum {
	EXCERPT_ROWS = 20, /* of each table, unless it is said otherwise */
	EXCERPT_ROWS_MAX = 1000,
	EXCERPT_TEXT = 1000, /* bytes of a cell or note */
	EXCERPT_NOTES = 40,
	EXCERPT_INPUTS = 100,
	EXCERPT_BYTES = 1 << 16 /* of tables: behind them only heads, behind twice as many nothing
	                         */
};

/* Which part is wanted. */
struct excerpt {
	size_t limit;   /* rows of each table; 0: EXCERPT_ROWS */
	bool has_start; /* only the table of that number, from that row on; no notes */
	size_t table, row;
};

/* Takes a cursor "TABLE:ROW", as an excerpt names them: false when it is none. */
bool excerpt_cursor(const char *text, struct excerpt *x);

/* Not in the list of renderers: how->excerpt says what is wanted, and NULL means all defaults.  One
 * line of JSON: {"schema", "inputs", "tables": [{"id", "title", "input", "nrow", "rows", "footer",
 * "footnote", "ncut", "next_cursor"}], "notes": [{"level", "id", "input", "text"}]}.  A member that
 * would say nothing is left out.  put returns E_USAGE for a cursor behind the end. */
extern const struct renderer renderer_excerpt;
