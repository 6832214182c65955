/* A table as rows under headings, for a terminal. */
#pragma once

#include "base/unit.h"
#include "report/format/renderer.h"

/* SGR sequences, where how->color allows them; they only repeat what position and words say. */
#define SGR_BOLD "\033[1m"
#define SGR_DIM  "\033[2m"
#define SGR_OFF  "\033[0m"

/* Writes headings, rows and foot rows of t, without title and footnote.  Numbers are aligned at
 * their decimal point, elastic columns come last.  To fit how->width (not 0) names are shortened
 * (base/name/name.h) and other elastic columns cut, down to 28 (half of a narrow line); then other
 * texts go on below themselves, down to their longest word; then columns are left out: cumulative
 * ones, then numbers from the right, then texts.  Numbers, and texts that are figures, are never
 * cut.  A last line names what was left out.  A table of many columns and few rows that does not
 * fit (200 without a width) is turned if it then does: nothing is left out. O(cells); of the rows
 * only names are kept. */
void grid_put(FILE *out, const struct table *t, const struct render *how);

/* ---- words of a verdict in their colour ---- */

/* The SGR sequence for a text that is nothing but a verdict or a severity: red for what failed,
 * yellow for a warning, green for what is well; NULL for all else.  The word says the same. */
const char *tone_of(struct span text);

/* ---- the columns of a grid, and how wide each may be ---- */

enum { GRID_GAP = 2 };

struct grid_column {
	size_t col; /* in the table */
	const struct column *of;
	struct unit_scale scale;
	size_t natural;          /* widest of heading and cells */
	size_t least;            /* narrower it is not made */
	size_t width;            /* what it gets */
	const struct span *name; /* by row: names, shortened; NULL: as they are */
	bool has_spaces;         /* a cell has one: it can go on below itself */
	bool is_whole;           /* of figures or pictures, which are not cut */
	bool is_picture;         /* a bar: all of it or nothing */
	bool is_left_out;
};

struct grid {
	const struct table *t;
	const struct render *how;
	struct grid_column *column; /* in the order of printing: elastic ones last */
	size_t n;
	struct arena mem;
	struct str text; /* scratch: one cell */
};

/* Measures the columns of t; to be freed with grid_clear. */
void grid_init(struct grid *g, const struct table *t, const struct render *how);
void grid_clear(struct grid *g);

/* Sets what each column gets, and which are left out. */
void grid_fit(struct grid *g);

/* The cell as harmless text; valid until the next call for a grid. */
struct span grid_cell(struct grid *g, size_t row, const struct grid_column *c);
struct span grid_heading(struct grid *g, const struct grid_column *c);

/* A foot row that is one text and nothing else takes the whole line: the column of it, or NULL. */
const struct grid_column *grid_lone_text(const struct grid *g, size_t row);
