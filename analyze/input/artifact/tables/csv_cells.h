/* CSV: rows of cells from the lines of a text. */
#pragma once

#include "analyze/input/artifact/artifact_reading.h"
#include "analyze/input/artifact/head.h"
#include "base/base.h"

enum { CSV_CELLS = 4096 };

/* A row; cells have their quotes and outer blanks off and live until the next row. */
struct csv_row {
	struct span cell[CSV_CELLS];
	size_t n;
	bool is_quoted; /* a cell was */
	bool is_torn;   /* its last line has no end */
	int64_t offset; /* in the text */
};

struct csv {
	struct lines lines;
	struct str whole;  /* a row of several lines */
	struct str joined; /* cells whose quotes were doubled */
	struct csv_row row;
	int64_t offset; /* of the newest row */
	char separator;
};

/* What stands between the cells of such a heading: ';' where there are more of those than commas,
 * as where decimals stand behind commas. */
char csv_separator(struct span heading);

/* The first line of a spreadsheet's export, "sep=;". */
bool csv_is_sep(struct span line);

void csv_open(struct csv *c, struct reading *in);
void csv_close(struct csv *c);

/* The next row that is not blank; false at the end or after a failure (c->lines.err). */
bool csv_next(struct csv *c);

/* Hands every row on that is not blank, the heading, too, and says which were not taken, in the
 * words of reading_passed; a last row that is torn by itself.  Errors as lines_end. */
enum status csv_read(struct reading *in, enum took (*take)(void *ctx, struct csv_row *row),
	void *ctx, const char *alien, const char *other, struct err *e) MUST_CHECK;
#define CSV_ALIEN "row{ has|s have} another number of cells than the heading; passed over"

/* Takes one line apart; a cell's doubled quotes are kept when `unquote` is NULL. */
void csv_split(struct span line, char separator, struct csv_row *row, struct str *unquote);

/* Which cell that is, or SIZE_MAX. */
size_t csv_column(const struct csv_row *row, const char *name);
size_t csv_column_nocase(const struct csv_row *row, const char *name);

/* The next row of a text that is all there, blank or not; *lines, so many of the text, is added to.
 * False at the end. */
bool csv_take(struct span *text, struct csv_row *row, struct str *unquote, int64_t *lines);

/*
 * A row with more cells than the heading has: unquoted separators in the text of column `text`.
 * Joins cells so that the rest, counted from the right, falls into place; false when it has fewer.
 */
bool csv_mend(struct csv_row *row, size_t ncolumn, size_t text);
