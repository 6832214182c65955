/* Cells to text: for people in the one scale of their column, for machines exact. */
#pragma once

#include "base/unit.h"
#include "report/format/renderer.h"

/* Numbers stand right, texts and booleans left. */
bool cells_is_number(const struct column *c);

/* False of a column that is shown where there is room only (COLUMN_ROOM), and has nothing. */
bool cells_is_there(const struct table *t, size_t col);

/* The scale all rows of a column share, foot rows included: so that they compare down the column.
 * The sides of a comparison (base_, new_, delta_, by_) share one scale: they compare along the row.
 * A ratio under a heading that says % has no sign of its own.  unit: how->unit, or NULL. */
struct unit_scale cells_scale_column(const struct table *t, size_t col, const char *unit);

/* The scale that suits one cell on its own, or, of UNIT_OF_ROW, all such cells of its row; (row,
 * col) may be absent. */
struct unit_scale cells_scale_one(const struct table *t, size_t row, size_t col, const char *unit);

/* Appends a cell for people: numbers in the scale, whole counts with thousands commas, yes or no,
 * "-" when absent.  Text comes as it is: the caller escapes it for its format. */
void cells_put(struct str *b, const struct table *t, size_t row, size_t col, struct unit_scale s);

/* Appends a number or boolean exactly, in base units: integers whole, reals shortest, true or
 * false; an infinite real as inf or -inf.  Not for texts. */
void cells_put_exact(struct str *b, const struct column *c, const union cell *v);

/* The unit of a cell: its column's, or its row's. */
enum unit cells_unit_of(const struct table *t, size_t row, size_t col);

/* The unit's word for machines: "ns", "bytes", "ratio", ...; NULL for none. */
const char *cells_unit_name(enum unit unit);

/* The input a table or note is about; NULL when that needs no saying: all, or the only one. */
const char *cells_input(const struct result *r, int input);

/* The input to name in the heading of table i, or NULL: not when it goes without saying, when the
 * table before has no other and this one no title, or when a line begins with the path. */
const char *cells_heading_input(const struct result *r, size_t i);

/* The heading of a column: its title, or its key where it has none. */
const char *cells_title(const struct column *c);

/* Writes b to out and empties it. */
void cells_flush(FILE *out, struct str *b);

/* Ends a renderer's work: flushes out and says whether all of it was written. */
enum status cells_done(FILE *out, struct err *e) MUST_CHECK;
