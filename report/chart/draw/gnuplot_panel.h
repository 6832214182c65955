/* What the kinds of panels share when they are written for gnuplot.  For
 * report/chart/draw/gnuplot_*.c only. */
#pragma once

#include "report/chart/draw/gnuplot.h"

/* Appends commands.  Of printf's directives it knows %s, %c, %d, %zu and, of doubles, %f and %g
 * with a precision and a sign; besides, %q: a text, quoted (const char *); %t: a text of a tic; %n:
 * a number of the language (double); %k: "($2/1000000)", a column of the data in the unit of an
 * axis (int, const struct gnuplot_axis *). */
void panel_put(struct str *b, const char *fmt, ...);

/* "set xrange [0:1]"; axis is 'x' or 'y'. */
void panel_range(struct str *b, char axis, double min, double max);

/* "set xlabel 'time (ms)'". */
void panel_label(
	struct str *b, char axis, const struct chart_axis *a, const struct gnuplot_axis *d);

/* How the numbers of an axis are written, and whether it is logarithmic. */
void panel_format(
	struct str *b, char axis, const struct chart_axis *a, const struct gnuplot_axis *d);

/* The lines across the panel.  The names of lying ones are at their ends, not here. */
void panel_lines(struct str *b, const struct chart_panel *p, const struct gnuplot_axis *x,
	const struct gnuplot_axis *y);

/* Room for the key below the title of the axis.  Its columns are as wide as the longest entry. */
void panel_key_room(struct str *b, const struct chart_panel *p);

/* Of n names side by side below the panel every how many-th there is room for. */
size_t panel_every(const struct chart_panel *p, const char *const *name, size_t n);

/* A panel of bars, of cells, of boxes in rows, of lanes; index is that of its block of data, which
 * is moved behind it. */
void panel_bars(struct str *b, const struct chart_panel *p, size_t *index);
void panel_heat(struct str *b, const struct chart_panel *p, size_t *index);
void panel_flame(struct str *b, const struct chart_panel *p, size_t *index);
void panel_lanes(struct str *b, const struct chart_panel *p, size_t *index);
