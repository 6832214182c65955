/*
 * Rows of a table drawn as bars: charts that are data.  chart_bars.c has them, and `draw` of
 * charts.h is for all that are more.
 */
#ifndef REPORT_CHART_BARS_H
#define REPORT_CHART_BARS_H

#include "report/answers.h"
#include "report/chart/chart.h"

enum { BARS_PARTS = 8, BARS_NAMES = 15 };

struct chart_rows;

/* A part of each bar, or of one word's bar. */
struct bars_part {
	/* A column, or a sum of columns and ones: "union_ns -exposed_ns", "1 -busy_ratio". */
	const char *key;
	const char *title;
	enum theme_color color;
};

/* One panel: a lying bar for each row. */
struct bars {
	const char *table; /* by its id */
	const char *name;  /* the column that says what a bar is called; NULL: its place */
	const char *why;   /* there is no row to draw */
	const char *axis;
	enum unit unit;
	/* The values, stacked, or is_beside each other.  key is NULL behind the last. */
	struct bars_part part[BARS_PARTS];

	const char *ask;    /* NULL: what the chart asks first */
	const char *rather; /* another table, drawn where it has rows; or NULL */
	struct span (*call)(struct chart *c, const struct chart_rows *r, size_t i); /* as `name` */

	/* Whose rows: BARS_NAMES of the first input that has any; */
	bool is_of_all;     /* of all inputs; */
	size_t most;        /* that many of them, 0: all; */
	const char *things; /* of all inputs, one for each of these: "devices", "streams"; of more
	                       than `most` those that differ */

	/* Drawn where a row has more than 0 in this column or sum; NULL: where there is a row. */
	const char *needs;
	const char *why_one; /* it is no use if only one row has; NULL: it is */
	/* It needs more than 0 in the first part; rows behind the last that has are left out. */
	bool is_trimmed;

	bool is_sorted;    /* the highest first part comes first; nested rows below their parents */
	const char *depth; /* the column that says how deep a row is nested, or NULL */
	bool is_beside;
	const char *of;                        /* the column they are divided by, or NULL */
	const char *lo, *hi, *box_lo, *box_hi; /* columns of whiskers and boxes, or NULL */
	/*
	 * Of several places a bar for each instead: the first part of its rows, stacked.  word:
	 * colours of rows that have one, by their names.
	 */
	bool is_by_place;
	struct bars_part word[BARS_PARTS];

	const char *title; /* of the panel, or NULL */
	double at_least;   /* the axis goes up to this */
	bool is_bare;      /* no number at the end of each bar */
};

/* A column of row i, or columns and ones with their signs, from the left: as a part's key. */
double bars_sum(const struct chart_rows *r, size_t i, const char *key);

/* Adds the panel; else why there is none, NULL when there is one. */
const char *bars_draw(
	const struct answers *in, struct chart *c, const char *ask, const struct bars *b);

/* A panel of these rows.  The panel is c's. */
struct chart_panel *bars_panel(
	struct chart *c, enum panel_kind kind, const struct chart_rows *r, const struct bars *b);

#endif
