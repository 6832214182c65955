/* Charts as SVG inside an HTML document: no script, no font, colours by classes of its style sheet,
 * so that one picture fits light and dark.  gnuplot is not needed for it. */
#pragma once

#include "report/chart/draw/gnuplot.h"

/* Appends a figure: a picture for each panel, side by side where the page has room. */
void svg_chart(struct str *out, const struct chart *c);

/* Appends the style rules charts need, for the page's style sheet. */
void svg_style(struct str *out);

/* ";--c0:#0b63d8;--i0:#ffffff ...": marks of a mode and letters on them, by their number, to be put
 * into a rule behind another declaration. */
void svg_colors(struct str *out, enum theme_mode mode);

/* Appends a document of its own: a chart of lanes or flames as a file, light or dark as its
 * reader's system. */
void svg_alone(struct str *out, const struct chart *c);

/* ---- between the parts of the writer ---- */

enum { SVG_BOTTOM = 44, SVG_KEY = 20 }; /* px below the data, and of a line of the key */

/* The part of a picture that holds the data. */
struct svg_area {
	double left, top, width, height;
	struct gnuplot_axis x, y;
	bool is_lying; /* values go to the right */
	bool x_log, y_log;
};

/* svg_shapes.c: where a value of an axis (in base units) is. */
double svg_x(const struct svg_area *a, double v);
double svg_y(const struct svg_area *a, double v);

/* Up to eight round values within an axis, in base units; returns how many. */
size_t svg_ticks(const struct gnuplot_axis *d, bool is_log, double *tick);

/* svg_shapes.c: appends text at a place; anchor: "start", "middle", "end". */
void svg_text(struct str *out, double x, double y, const char *anchor, const char *text);

/* svg_marks.c: the marks of a panel of numbers, of bars, of cells. */
void svg_lines(struct str *out, const struct chart_panel *p, const struct svg_area *a);
void svg_bars(struct str *out, const struct chart_panel *p, const struct svg_area *a);
void svg_cells(struct str *out, const struct chart_panel *p, const struct svg_area *a);

/* svg_shapes.c: discs and the names of a panel that has some. */
void svg_discs(struct str *out, const struct chart_panel *p, const struct svg_area *a);

/* svg_shapes.c: boxes in rows. */
void svg_flame(struct str *out, const struct chart_panel *p, const struct svg_area *a);

/* svg_shapes.c: boxes over time. */
void svg_lanes(struct str *out, const struct chart_panel *p, const struct svg_area *a);

/* ---- what a chart says to who cannot see it, and what a mark is under a pointer ---- */

/* Appends a sentence on a panel: its title or the chart's, what it shows, the highest bars, the
 * range of each line.  Not escaped. */
void svg_say_panel(struct str *text, const struct chart *c, const struct chart_panel *p);

/* Appends <title> with "NAME, SERIES: VALUE", escaped; name and series may be NULL. */
void svg_say_mark(struct str *out, const char *name, const char *series,
	const struct chart_axis *axis, double v);

/* The same of bar i of a series, with its whole name. */
void svg_say_bar(struct str *out, const struct chart_panel *p, const struct chart_series *s,
	size_t i, double v);

/* The same of a line or band: from its lowest to its highest value. */
void svg_say_line(struct str *out, const struct chart_series *s, const struct chart_axis *axis);

/* The same of a point of two numbers, or of a box from x to `right`. */
void svg_say_point(struct str *out, const struct chart_panel *p, const struct chart_series *s,
	size_t i, bool is_box);
