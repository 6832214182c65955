/*
 * What families of charts share: rows of tables as bars.  For report/chart_*.c.
 */
#ifndef REPORT_CHART_BUILD_H
#define REPORT_CHART_BUILD_H

#include "report/charts.h"

/* Rows of the tables of one id, over all inputs, in order. */
struct chart_rows {
	const struct table **t;
	size_t *row;
	size_t n;
	const struct result *result;
};

/* All of them; at most `most` (0: all).  n is 0 when there are none. */
struct chart_rows chart_rows(
	struct chart *c, const struct answers *in, const char *ask, const char *id, size_t most);

/* As table_number and table_word, of the i-th row. */
double rows_number(const struct chart_rows *r, size_t i, const char *key);
struct span rows_word(const struct chart_rows *r, size_t i, const char *key);

/* "rank3, GPU 0, stream 7": the input when there are several, and what columns say about a place.
 */
const char *rows_place(struct chart *c, const struct chart_rows *r, size_t i);

/* A column as a part of bars. */
struct chart_part {
	const char *key, *title;
	enum theme_color color;
};

/*
 * A panel with a bar for each row, whose parts are columns: stacked, or beside each other.  of: the
 * column they are divided by, or NULL.  name: a text column, or NULL: the place of the row.
 */
struct chart_panel *chart_bars(struct chart *c, enum panel_kind kind, const struct chart_rows *r,
	const char *name, const struct chart_part *part, size_t npart, const char *of);

/* One bar a row, called "name", of its mean_ns from min_ns to max_ns.  The panel is c's. */
struct chart_panel *chart_ranges(
	struct chart *c, const struct chart_rows *r, const char *axis_title);

#endif
