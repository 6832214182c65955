/* What charts of logs share: the points of a metric as lines. */
#pragma once

#include "report/chart/chart_build.h"

/* What is asked: its tables are "keys" and "points". */
extern const char points_ask[];

/* Rows [from, to) of the points, those of one metric of one input. */
struct points {
	const struct chart_rows *r;
	size_t from, to, breaks;
	bool *is_break;       /* before row from + i: a pause */
	double first, factor; /* x is counted from there, in the unit of the axis */
};

/* Behind the last row of the metric that row `from` is of. */
size_t points_end(const struct chart_rows *r, size_t from);

struct points points_of(struct chart *c, const struct chart_rows *r, size_t from, size_t to);

/* Steps, rows, tokens or time, which people count from the begin of a log: sets first and factor.
 */
struct chart_axis points_axis(struct chart *c, const struct answers *in, struct points *s);

/* "reward (format)": with its group; with_input: the input behind it where there are several. */
const char *points_title(struct chart *c, const struct chart_rows *r, size_t from, bool with_input);

/* The place of row i on the axis. */
double points_x(const struct points *s, size_t i);

/* The column `key` as a line, broken at pauses. */
void points_line(struct chart *c, struct chart_panel *p, const struct points *s, const char *key,
	const char *title, enum theme_color color);
